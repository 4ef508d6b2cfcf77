package io.dubbomesh.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.RawUnixChannelOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes Linux drop whatever asks a listening socket for a new connection, while those that it let in can still be accepted. Closing the
 * socket resets the latter, with the requests that they may have sent; no other means stops the former.
 *
 * <p>The filter is a program of classic BPF, as in {@code linux/filter.h}, that is shown each TCP segment from its header on.
 */
final class SynFilter {
    private static final Logger LOG = LoggerFactory.getLogger(SynFilter.class);
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_FILTER = 26;

    private static final int LOAD_BYTE = 0x30;
    private static final int JUMP_IF_SET = 0x45;
    private static final int RETURN = 0x06;
    private static final int TCP_FLAGS_OFFSET = 13;
    private static final int TCP_SYN = 0x02;
    private static final int INSTRUCTIONS = 4;
    private static final int INSTRUCTION_BYTES = 8;

    /** {@code struct sock_fprog} where a pointer has eight bytes: the number of instructions, and behind a gap their address. */
    private static final int PROGRAM_BYTES = 16;

    private static final int ADDRESS_OFFSET = 8;
    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("SO_ATTACH_FILTER", SOL_SOCKET, SO_ATTACH_FILTER, PROGRAM_BYTES);

    private SynFilter() {}

    /** False if the system does not allow it. */
    static boolean attachTo(Channel listener) {
        ByteBuffer instructions = allocate(INSTRUCTIONS * INSTRUCTION_BYTES);
        put(instructions, LOAD_BYTE, 0, TCP_FLAGS_OFFSET);
        put(instructions, JUMP_IF_SET, 1, TCP_SYN);
        put(instructions, RETURN, 0, 0);
        put(instructions, RETURN, 0, -1);
        ByteBuffer program = allocate(PROGRAM_BYTES);
        program.putShort(0, (short) INSTRUCTIONS);
        program.putLong(ADDRESS_OFFSET, Buffer.memoryAddress(instructions));
        try {
            return listener.config().setOption(OPTION, program);
        } catch (ChannelException e) {
            LOG.debug("no filter for {}", listener, e);
            return false;
        } finally {
            Reference.reachabilityFence(instructions);
        }
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** @param otherwise how many instructions a jump leaves out if its condition does not hold */
    private static void put(ByteBuffer instructions, int code, int otherwise, int operand) {
        instructions.putShort((short) code);
        instructions.put((byte) 0).put((byte) otherwise);
        instructions.putInt(operand);
    }
}
