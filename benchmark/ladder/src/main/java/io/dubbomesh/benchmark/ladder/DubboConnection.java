package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** A connection to the Dubbo provider. */
final class DubboConnection extends Connection implements FrameReceiver {
    private static final int OK = 20;
    private static final int NULL = 'N';
    private static final int MAX_METHODS = 1024;
    private static final int TIMEOUT_MS = 5000;
    private static final ResultFormat TEXT = ResultFormat.of(true, false, false);

    private final Switches switches;
    private final Map<MethodName, DubboRequest> methods = new HashMap<>();
    private final DubboResponseReader reader = new DubboResponseReader();
    private final ByteBuf body = Unpooled.buffer();

    DubboConnection(Connector connector, InetSocketAddress address) {
        super(connector, address);
        switches = connector.switches();
    }

    @Override
    protected void addHandlers(Channel channel) {
        FrameFormat.DUBBO.addDecoder(channel, switches.decode(), this);
    }

    @Override
    protected void write(long id, MethodName name, ByteBuf in, int offset, int length) throws CallException {
        DubboRequest request = method(name);
        ByteBuf out = channel().alloc().directBuffer(512 + length);
        try {
            request.encode(out, id, false, TIMEOUT_MS, in, offset, 0, offset, length, true);
            channel().writeAndFlush(out.retain(), channel().voidPromise());
        } finally {
            out.release();
        }
    }

    private DubboRequest method(MethodName name) throws CallException {
        DubboRequest known = methods.get(name);
        if (known == null) {
            if (methods.size() == MAX_METHODS) {
                methods.clear();
            }
            known = DubboRequest.prepare(name, Serialization.HESSIAN2, null);
            methods.put(name, known);
        }
        return known;
    }

    @Override
    public void frame(ByteBuf in, int offset, int length) {
        long id = DubboHeader.requestId(in, offset);
        if (!DubboHeader.isEvent(in, offset)) {
            Outcome outcome = reader.read(in, offset, TEXT, body.clear());
            int document = Short.BYTES + body.getUnsignedShort(0);
            answered(id, outcome, body, document, body.writerIndex() - document);
        } else if (DubboHeader.isRequest(in, offset) && DubboHeader.isTwoWay(in, offset)) {
            ByteBuf out = channel().alloc().directBuffer(DubboHeader.LENGTH + Byte.BYTES);
            DubboHeader.write(out, Serialization.HESSIAN2.id() | DubboHeader.EVENT, OK, id, Byte.BYTES);
            out.writeByte(NULL);
            channel().writeAndFlush(out, channel().voidPromise());
        }
    }
}
