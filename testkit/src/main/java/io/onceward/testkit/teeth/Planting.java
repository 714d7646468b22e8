package io.onceward.testkit.teeth;

import io.onceward.Service;
import io.onceward.testkit.world.DoorMaker;
import io.onceward.testkit.world.Library;
import io.onceward.testkit.world.Parts;
import io.onceward.testkit.world.ReplicaMachine;
import io.onceward.testkit.world.StateMachine;
import io.onceward.testkit.world.StateMachine.Place;
import java.io.IOException;
import java.io.InputStream;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The ways to put a bug into a world. */
final class Planting {
  /** Puts a bug around the real state machine. */
  interface Wrapping {
    Around wrap(Place place, StateMachine inner);
  }

  /** Replaces the user's service on one node. */
  interface Replacing {
    Service replace(int node, Service real);
  }

  private Planting() {}

  /** Every node hosts the real replica with a bug around it. */
  static Supplier<Parts> around(Wrapping wrapping) {
    return () -> parts(new Wrapped(wrapping));
  }

  /** Every node runs another service than the user wrote. */
  static Supplier<Parts> service(Replacing replacing) {
    return () -> parts(new Serving(replacing));
  }

  /** Snapshots tell another past than what was applied. */
  static Supplier<Parts> snapshots(Retelling retelling) {
    return () -> parts(new Misremembering(retelling));
  }

  /** Processes use the real library with a bug around it. */
  static Supplier<Parts> library(Supplier<Library> maker) {
    return () ->
        new Parts() {
          @Override
          public Library library() {
            return maker.get();
          }
        };
  }

  /** Nodes have the real door with a bug around it. */
  static Supplier<Parts> door(DoorMaker maker) {
    return () ->
        new Parts() {
          @Override
          public DoorMaker doors() {
            return maker;
          }
        };
  }

  private static Parts parts(StateMachine.Maker maker) {
    return new Parts() {
      @Override
      public StateMachine.Maker machines() {
        return maker;
      }
    };
  }

  private record Wrapped(Wrapping wrapping) implements StateMachine.Maker {
    @Override
    public StateMachine fresh(Place place) {
      return wrapping.wrap(place, ReplicaMachine.MAKER.fresh(place));
    }

    @Override
    public StateMachine restore(Place place, InputStream in) throws IOException {
      TreeMap<String, Long> notes = Around.readNotes(in);
      Around wrapped = wrapping.wrap(place, ReplicaMachine.MAKER.restore(place, in));
      wrapped.notes.putAll(notes);
      return wrapped;
    }
  }

  private record Serving(Replacing replacing) implements StateMachine.Maker {
    @Override
    public StateMachine fresh(Place place) {
      return ReplicaMachine.MAKER.fresh(replaced(place));
    }

    @Override
    public StateMachine restore(Place place, InputStream in) throws IOException {
      return ReplicaMachine.MAKER.restore(replaced(place), in);
    }

    private Place replaced(Place place) {
      return new Place(
          place.node(), place.clockMillis(), replacing.replace(place.node(), place.service()));
    }
  }
}
