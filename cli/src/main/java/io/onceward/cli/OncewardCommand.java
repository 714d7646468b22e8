package io.onceward.cli;

import picocli.CommandLine.Command;

/** The root of all commands; by itself it only tells about them. */
@Command(name = "onceward", description = "Retry all you like; it happens once.")
final class OncewardCommand {}
