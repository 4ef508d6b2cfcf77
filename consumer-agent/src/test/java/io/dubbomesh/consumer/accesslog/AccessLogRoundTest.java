package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What the thread of the access log writes, round for round. */
class AccessLogRoundTest {
    private static final AccessLogSettings SETTINGS = new AccessLogSettings(true, null, 1, false, 0, 4096);

    private static CallRecord record(int status) {
        CallRecord record = new CallRecord();
        record.received(null, 0, 0);
        record.answered(Outcome.OK, status, 0, 0);
        return record;
    }

    private static AccessLog log(OutputStream out) {
        return new AccessLog(SETTINGS, new LogOutput(out));
    }

    @Test
    void anEventLoopWithMuchToWriteDoesNotKeepTheOthersWaiting() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AccessLog log = log(out);
        CallRecorder busy = log.newLoop();
        CallRecorder other = log.newLoop();
        for (int i = 0; i < 1000; i++) {
            assertThat(busy.ended(record(200))).isTrue();
        }
        assertThat(other.ended(record(299))).isTrue();

        assertThat(log.writeRound()).isTrue();
        List<String> lines = out.toString(UTF_8).lines().toList();
        assertThat(lines).hasSize(257);
        assertThat(lines.get(256)).contains("\"status\":299");
        assertThat(log.writeRound()).isTrue();
        assertThat(log.writeRound()).isTrue();
        assertThat(log.writeRound()).isTrue();
        assertThat(log.writeRound()).isFalse();
        assertThat(out.toString(UTF_8).lines()).hasSize(1001);
    }
}
