package io.dubbomesh.runtime.process;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;

class StartExceptionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Address already in use | server.port: 80 (address already in use)",
                "bind(..) failed with error(-98): Address already in use | server.port: 80 (address already in use)",
                "Permission denied | server.port: 80 (permission denied)",
                "Cannot assign requested address | server.host: 192.0.2.1 (not an address of this machine)",
                "Protocol family unavailable | server.port: 80 on 192.0.2.1 (Protocol family unavailable)",
            })
    void theMessageNamesTheSettingToChange(String reason, String message) {
        assertThat(StartException.cannotListen("server", "192.0.2.1", 80, new IOException(reason)))
                .hasMessage(message);
    }
}
