package io.onceward.files;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A file of the real disk, reached through a channel whose steps a test can let fail. */
final class FailingFiles {
  private final Path real;

  /** Called with the name of each step on a channel; what it throws, the step throws. */
  private final Consumer<String> beforeStep;

  private FailingFiles(Path real, Consumer<String> beforeStep) {
    this.real = real;
    this.beforeStep = beforeStep;
  }

  static Path path(Path real, Consumer<String> beforeStep) {
    return new FailingFiles(real, beforeStep).path();
  }

  private Path path() {
    FileSystem system = new OneFile(new Provider());
    return (Path)
        Proxy.newProxyInstance(
            FailingFiles.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (proxy, method, arguments) ->
                method.getName().equals("getFileSystem") ? system : method.invoke(real, arguments));
  }

  private final class Channel extends FileChannel {
    private final FileChannel file;

    Channel(FileChannel file) {
      this.file = file;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return file.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      return file.read(targets, offset, length);
    }

    @Override
    public int read(ByteBuffer target, long at) throws IOException {
      return file.read(target, at);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      beforeStep.accept("write");
      return file.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      beforeStep.accept("write");
      return file.write(sources, offset, length);
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
      beforeStep.accept("write");
      return file.write(source, at);
    }

    @Override
    public long position() throws IOException {
      return file.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
      file.position(newPosition);
      return this;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      beforeStep.accept("truncate");
      file.truncate(size);
      return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      beforeStep.accept("force");
      file.force(metaData);
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
      return file.transferTo(at, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
      return file.transferFrom(source, at, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) throws IOException {
      return file.map(mode, at, size);
    }

    @Override
    public FileLock lock(long at, long size, boolean shared) throws IOException {
      beforeStep.accept("lock");
      return file.lock(at, size, shared);
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) throws IOException {
      beforeStep.accept("lock");
      return file.tryLock(at, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }

  private final class Provider extends FileSystemProvider {
    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return new Channel(FileChannel.open(real, options, attributes));
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return Files.newByteChannel(real, options, attributes);
    }

    @Override
    public String getScheme() {
      return "failing";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path folder, DirectoryStream.Filter<? super Path> filter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Path path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path one, Path other) {
      return one == other;
    }

    @Override
    public boolean isHidden(Path path) {
      return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      real.getFileSystem().provider().checkAccess(real, modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return Files.getFileAttributeView(real, type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      return Files.readAttributes(real, type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
        throws IOException {
      return Files.readAttributes(real, names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options)
        throws IOException {
      Files.setAttribute(real, name, value, options);
    }
  }

  private static final class OneFile extends FileSystem {
    private final FileSystemProvider provider;

    OneFile(FileSystemProvider provider) {
      this.provider = provider;
    }

    @Override
    public FileSystemProvider provider() {
      return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return Set.of("basic");
    }

    @Override
    public Path getPath(String first, String... more) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }
}
