package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

import java.util.List;

/** Another implementation of Hessian 2. */
interface Library {
    ByteBuf write(Object... values);

    /** Reads this many values and requires that there are no more. */
    List<Object> read(ByteBuf bytes, int values);
}
