package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the rounds of the access log's thread. */
class AccessLogRoundTest {
    private static final AccessLogSettings SETTINGS = new AccessLogSettings(true, null, 1, false, 0, 4096);

    private static CallRecord record(int status) {
        CallRecord record = new CallRecord();
        record.request().received(null, 0, 0);
        record.answer().written(Outcome.OK, status, 0, 0);
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

    @Test
    void aLineThatWasWrittenInPartIsNotGluedToTheNext() {
        ByteArrayOutputStream disk = new ByteArrayOutputStream();
        boolean[] full = {true};
        AccessLog log = log(new OutputStream() {
            @Override
            public void write(int b) {
                disk.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                disk.write(bytes, offset, full[0] ? 10 : length);
                if (full[0]) {
                    throw new IOException("No space left on device");
                }
            }
        });
        CallRecorder loop = log.newLoop();
        loop.ended(record(201));
        log.writeRound();
        full[0] = false;
        loop.ended(record(202));
        log.writeRound();
        loop.ended(record(203));
        log.writeRound();

        List<String> lines = disk.toString(UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("{\"time\":\"").hasSize(10);
        assertThat(lines.get(1)).startsWith("{\"time\":").contains("\"status\":202");
        assertThat(lines.get(2)).startsWith("{\"time\":").contains("\"status\":203");
    }

    /** A pipe takes up to 4096 bytes as a whole, even if others write to it. */
    @Test
    void standardOutputGetsWholeLinesInPiecesThatNobodyTears() {
        List<String> pieces = new ArrayList<>();
        AccessLog log = log(new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError();
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                pieces.add(new String(bytes, offset, length, UTF_8));
            }
        });
        CallRecorder loop = log.newLoop();
        for (int i = 0; i < 200; i++) {
            loop.ended(record(200));
        }
        log.writeRound();

        assertThat(pieces).hasSizeGreaterThan(5).allSatisfy(piece -> {
            assertThat(piece.length()).isLessThanOrEqualTo(4096);
            assertThat(piece).startsWith("{\"time\":").endsWith("}\n");
        });
        assertThat(String.join("", pieces).lines()).hasSize(200);
    }

    @Test
    void whoeverMovesTheFileWhereNoneCanBeCreatedIsToldWhereTheLinesGo(@TempDir Path folder) throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Path file = logs.resolve("access.log");
        AccessLog log = new AccessLog(SETTINGS, new LogOutput(file));
        CallRecorder loop = log.newLoop();
        try (RecordedLog told = new RecordedLog(AccessLog.class)) {
            Path moved = Files.move(logs, folder.resolve("moved"));
            writeUntilTold(log, loop, told, 1);
            assertThat(told.lines().get(0))
                    .startsWith("the access log cannot be opened again at " + file)
                    .endsWith("; its lines go to the old file, which was moved or deleted (access.log)");
            long lines = Files.lines(moved.resolve("access.log")).count();
            loop.ended(record(200));
            log.writeRound();
            assertThat(Files.lines(moved.resolve("access.log"))).hasSize((int) lines + 1);

            Files.createDirectory(logs);
            writeUntilTold(log, loop, told, 2);
            assertThat(told.lines().get(1)).isEqualTo("the access log is written to " + file + " again");
            assertThat(Files.lines(file)).hasSize(1);
        }
    }

    private static void writeUntilTold(AccessLog log, CallRecorder loop, RecordedLog told, int lines) throws Exception {
        Await.until("there is a line in the agent's own log", () -> {
            loop.ended(record(200));
            log.writeRound();
            return told.lines().size() == lines;
        });
    }
}
