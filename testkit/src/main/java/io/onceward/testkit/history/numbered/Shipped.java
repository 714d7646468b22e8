package io.onceward.testkit.history.numbered;

import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.services.ServiceDirectory;
import java.io.IOException;
import java.io.InputStream;

/**
 * One of the services that ship, taken out of their directory, which is the only way to them from
 * outside.
 */
final class Shipped implements Service {
  private final String name;
  private final ServiceDirectory directory = ServiceDirectory.shipped();

  Shipped(String name) {
    this.name = name;
  }

  @Override
  public Reply execute(Command command) {
    return directory.execute(addressed(command));
  }

  @Override
  public Reply query(Command question) {
    return directory.query(addressed(question));
  }

  private Command addressed(Command command) {
    return new Command(
        ServiceDirectory.address(name, command.payload()),
        command.principal(),
        command.position(),
        command.timeMillis(),
        command.ageMillis());
  }

  @Override
  public Frozen freeze() {
    return directory.freeze();
  }

  @Override
  public void restore(InputStream in) throws IOException {
    directory.restore(in);
  }
}
