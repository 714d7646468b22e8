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

  @Override
  public String obstacle(Command command, long bytesLeft) {
    return directory.obstacle(addressed(command), bytesLeft);
  }

  @Override
  public long stateBytes() {
    return directory.stateBytes();
  }

  @Override
  public void expire(long ageMillis) {
    directory.expire(ageMillis);
  }

  @Override
  public boolean canExpire() {
    return directory.canExpire();
  }

  @Override
  public boolean owns(String principal) {
    return directory.owns(principal);
  }

  @Override
  public void renamed(String principal, String successor) {
    directory.renamed(principal, successor);
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
