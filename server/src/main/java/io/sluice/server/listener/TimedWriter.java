package io.sluice.server.listener;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.sluice.server.listener.ClientConnection.Stage;

/** Sends answers, and reports to the connection while a client takes its time to receive one. */
record TimedWriter(DataWriter wire, ClientConnection connection) implements DataWriter {

  @Override
  public void write(BufferData... buffers) {
    timed(() -> wire.write(buffers));
  }

  @Override
  public void write(BufferData buffer) {
    timed(() -> wire.write(buffer));
  }

  @Override
  public void writeNow(BufferData... buffers) {
    timed(() -> wire.writeNow(buffers));
  }

  @Override
  public void writeNow(BufferData buffer) {
    timed(() -> wire.writeNow(buffer));
  }

  @Override
  public void flush() {
    timed(wire::flush);
  }

  private void timed(Runnable writing) {
    ClientConnection.Doing before = connection.doing();
    connection.at(Stage.ANSWERED);
    writing.run();
    connection.back(before);
  }
}
