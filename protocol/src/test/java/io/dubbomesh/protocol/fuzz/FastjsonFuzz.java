package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.CallException;

/** A provider's answer in the JSON of fastjson 1; the first byte of the input chooses how it is read. */
public final class FastjsonFuzz {
    private static final int FASTJSON = 6;

    private FastjsonFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) throws CallException {
        ResponseFuzz.read(FASTJSON, input);
    }
}
