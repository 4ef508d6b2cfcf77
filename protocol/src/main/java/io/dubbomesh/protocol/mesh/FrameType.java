package io.dubbomesh.protocol.mesh;

/** The types of mesh frames, the header's Type; docs/understand/protocol.md specifies the numbers. */
public final class FrameType {
    public static final int HELLO = 1;
    public static final int DEFINE = 2;
    public static final int REQUEST = 3;
    public static final int RESPONSE = 4;
    public static final int PING = 5;
    public static final int PONG = 6;
    public static final int GOAWAY = 7;
    /** Only to a peer whose HELLO {@linkplain Hello#TAKES_LIMIT says that it takes it}. */
    public static final int LIMIT = 8;
    /** Gives bytes back; only to a peer whose HELLO {@linkplain Hello#TAKES_STREAMS says that it takes streams}. */
    public static final int CREDIT = 9;
    /** Ends a stream; only to such a peer too. */
    public static final int CANCEL = 10;

    private FrameType() {}
}
