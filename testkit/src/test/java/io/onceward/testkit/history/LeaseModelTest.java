package io.onceward.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.testkit.history.ReferenceModel.Moment;
import io.onceward.testkit.history.ReferenceModel.Result;
import org.junit.jupiter.api.Test;

class LeaseModelTest {
  private static final long SECOND = 1_000_000_000;
  private static final Reply FREE = Reply.ok(LeaseReply.encode(new LeaseReply.Free()));
  private final LeaseModel model = new LeaseModel();

  private static Moment at(long logMillis, long seconds) {
    return new Moment(logMillis, seconds * SECOND, seconds * SECOND + 1_000);
  }

  private Result acquireForTenSeconds() {
    Bytes acquire = LeaseCommand.encode(new LeaseCommand.Acquire("job", "ann", 10_000));
    Reply granted = Reply.ok(LeaseReply.encode(new LeaseReply.Granted(1, 15_000)));
    return model.executed(acquire, at(5_000, 100), granted).result();
  }

  private Result toldFree(Moment moment) {
    Bytes get = LeaseCommand.encode(new LeaseCommand.Get("job"));
    return model.queried(get, moment, FREE).result();
  }

  @Test
  void leaseThatEndsBeforeItsTimeDiffers() {
    assertThat(acquireForTenSeconds()).isEqualTo(Result.AGREES);
    assertThat(toldFree(at(14_999, 108))).isEqualTo(Result.DIFFERS);
  }

  @Test
  void leaseMayEndByLogTime() {
    acquireForTenSeconds();
    assertThat(toldFree(at(15_000, 101))).isEqualTo(Result.AGREES);
  }

  /** A leader whose clock is behind: log time stands still, age goes on. */
  @Test
  void leaseMayEndWhileLogTimeStandsStill() {
    acquireForTenSeconds();
    assertThat(toldFree(at(5_000, 110))).isEqualTo(Result.AGREES);
  }
}
