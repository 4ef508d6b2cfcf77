package io.dubbomesh.protocol.mesh;

/** What a mesh frame is, the header's Type; the numbers are those of docs/protocol.md. */
public final class FrameType {
    public static final int HELLO = 1;
    public static final int DEFINE = 2;
    public static final int REQUEST = 3;
    public static final int RESPONSE = 4;
    public static final int PING = 5;
    public static final int PONG = 6;
    public static final int GOAWAY = 7;

    private FrameType() {}
}
