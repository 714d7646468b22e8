/**
 * What journals and data folders have in common: {@link io.onceward.files.ProcessLock} gives a file
 * to one owner in one process at a time, {@link io.onceward.files.Folders} makes folders that last,
 * and {@link io.onceward.files.FileTrouble} says why one cannot be used.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.files;
