package io.onceward.testkit.world;

/**
 * What a world is built from. As written here it is what ships; a planted bug overrides a method
 * and wraps or replaces the part.
 */
public interface Parts {
  Parts HONEST = new Parts() {};

  /** Makes what the nodes host; asked once per run. */
  default StateMachine.Maker machines() {
    return ReplicaMachine.MAKER;
  }

  /** Makes the doors of the nodes; asked at each start of a process. */
  default DoorMaker doors() {
    return DoorMaker.HONEST;
  }

  /** What stands between the client's logic and its process; asked at each start of a process. */
  default Library library() {
    return new Library() {};
  }
}
