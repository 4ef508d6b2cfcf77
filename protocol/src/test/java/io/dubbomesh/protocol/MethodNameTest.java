package io.dubbomesh.protocol;

import io.dubbomesh.testsupport.equality.RecordEquality;
import org.junit.jupiter.api.Test;

class MethodNameTest {
    @Test
    void everyComponentCountsInAComparison() throws Exception {
        RecordEquality.check(new MethodName("a.B", "call", "I", "1.0", "red"));
    }
}
