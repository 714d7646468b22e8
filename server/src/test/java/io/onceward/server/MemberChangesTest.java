package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.Question;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators are told of changes of the members (O3). */
@Timeout(120)
class MemberChangesTest {
  @TempDir Path folder;

  @Test
  void onlyWhatWasNotBegunIsRejected() throws Exception {
    List<Member> members = FreePorts.members(3, i -> "n" + i);
    List<OncewardServer> servers = new ArrayList<>();
    try {
      for (Member member : members) {
        servers.add(
            OncewardServer.start(
                ServerSettings.of(folder.resolve(member.id()), member, members)
                    .withElectionMillis(4_000, 5_000),
                new AddingService()));
      }
      for (OncewardServer server : servers) {
        RawClient.await(server.ready());
      }
      OncewardServer leader = leaderOf(servers);
      try (RawClient client = new RawClient(leader.clientPort())) {
        assertThat(client.ask(new Question.TransferLeadership("n7")))
            .isInstanceOf(Answer.Rejected.class);
        Member self = member(members, leader);
        assertThat(client.ask(new Question.AddMember(self))).isInstanceOf(Answer.Obeyed.class);
        assertThat(client.ask(new Question.RemoveMember("n7"))).isInstanceOf(Answer.Obeyed.class);
        for (OncewardServer server : servers) {
          if (server != leader) {
            server.close();
          }
        }
        String other = members.get(members.indexOf(self) == 0 ? 1 : 0).id();
        // It is in the leader's log, and a later leader may commit it.
        assertThat(client.ask(new Question.RemoveMember(other))).isInstanceOf(Answer.Unknown.class);
      }
    } finally {
      for (OncewardServer server : servers) {
        server.close();
      }
    }
  }

  private static OncewardServer leaderOf(List<OncewardServer> servers) {
    for (OncewardServer server : servers) {
      if (server.status().role().equals("leader")) {
        return server;
      }
    }
    throw new AssertionError("all know a leader, and none leads");
  }

  private static Member member(List<Member> members, OncewardServer server) {
    for (Member member : members) {
      if (member.clientPort() == server.clientPort()) {
        return member;
      }
    }
    throw new AssertionError("no member has port " + server.clientPort());
  }
}
