/**
 * What journals and data folders have in common: {@link io.onceward.files.ProcessLock} gives a file
 * to one owner in one process at a time, and {@link io.onceward.files.Folders} makes folders that
 * last.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.files;
