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

  default DoorPolicy doorPolicy() {
    return DoorPolicy.HONEST;
  }
}
