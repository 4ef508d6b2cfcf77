package io.dubbomesh.benchmark.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a report for programs. */
final class Json {
    private Json() {}

    static void write(Report report, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            write(report, out);
        }
    }

    static void write(Report report, Writer out) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            head(json, report);
            json.writeArrayFieldStart("rounds");
            for (Comparison comparison : report.comparisons()) {
                for (Round round : comparison.rounds()) {
                    round(json, comparison, round);
                }
            }
            json.writeEndArray();
            json.writeArrayFieldStart("tables");
            for (Table table : report.tables()) {
                table(json, table);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void head(JsonGenerator json, Report report) throws IOException {
        Options options = report.options();
        Machine machine = report.machine();
        json.writeStringField("scenario", report.scenario());
        json.writeStringField("time", report.time());
        json.writeStringField("provider", options.realProviders() ? "dubbo" : "stub");
        json.writeArrayFieldStart("weights");
        for (int weight : options.weights()) {
            json.writeNumber(weight);
        }
        json.writeEndArray();
        json.writeNumberField("seconds", options.seconds());
        json.writeNumberField("warmup", options.warmupSeconds());
        json.writeStringField("commit", machine.commit());
        json.writeObjectFieldStart("machine");
        json.writeStringField("cpu", machine.cpu());
        json.writeNumberField("cores", machine.cores());
        json.writeStringField("kernel", machine.kernel());
        json.writeEndObject();
        json.writeStringField("jdk", machine.jdk());
        Installation installation = report.installation();
        json.writeStringField("agentFlags", String.join(" ", installation.agentFlags()));
        json.writeStringField("providerFlags", String.join(" ", installation.providerFlags()));
        json.writeStringField("stubFlags", String.join(" ", installation.stubFlags()));
        texts(json, "statements", report.statements());
        texts(json, "failures", report.failures());
        json.writeNumberField("checked", report.checked());
        json.writeNumberField("wrong", report.wrong());
    }

    private static void texts(JsonGenerator json, String field, Iterable<String> texts) throws IOException {
        json.writeArrayFieldStart(field);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private static void round(JsonGenerator json, Comparison comparison, Round round) throws IOException {
        LoadResult load = round.load();
        json.writeStartObject();
        json.writeStringField("comparison", comparison.title());
        json.writeNumberField("round", round.number());
        json.writeStringField("side", round.side());
        json.writeStringField("load", round.point().label());
        json.writeNumberField("connections", round.point().connections());
        json.writeNumberField("requests", load.requests());
        json.writeNumberField("qps", Math.round(load.qps()));
        if (comparison.delayMs() > 0) {
            double limit = 1000.0 * round.point().connections() / comparison.delayMs();
            json.writeNumberField("limit", Math.round(limit));
            json.writeNumberField("ratio", load.qps() / limit);
        }
        json.writeNumberField("meanUs", load.meanUs());
        json.writeNumberField("p50Us", load.p50Us());
        json.writeNumberField("p90Us", load.p90Us());
        json.writeNumberField("p99Us", load.p99Us());
        json.writeNumberField("maxUs", load.maxUs());
        json.writeNumberField("socketErrors", load.socketErrors());
        json.writeNumberField("timeouts", load.timeouts());
        json.writeNumberField("badStatuses", load.badStatuses());
        json.writeNumberField("otherProgramsCpuPercent", round.foreignPercent());
        json.writeNumberField("acceptedConnections", round.acceptedConnections());
        json.writeArrayFieldStart("processes");
        for (Usage usage : round.usages()) {
            usage(json, round, usage);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("curve");
        for (LoadResult.Quantile quantile : load.curve()) {
            json.writeStartObject();
            json.writeNumberField("percentile", quantile.percentile());
            json.writeNumberField("us", quantile.us());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void usage(JsonGenerator json, Round round, Usage usage) throws IOException {
        double requests = round.load().requests();
        json.writeStartObject();
        json.writeStringField("name", usage.program());
        json.writeNumberField("cpuUsPerRequest", usage.cpu().totalUs() / requests);
        json.writeNumberField("userUsPerRequest", usage.cpu().userUs() / requests);
        json.writeNumberField("systemUsPerRequest", usage.cpu().systemUs() / requests);
        json.writeNumberField("rssMib", usage.rssMib());
        json.writeNumberField("pssMib", usage.pssMib());
        if (usage.stops() != null) {
            json.writeNumberField("allocatedBytesPerRequest", usage.allocatedBytes() / requests);
            json.writeNumberField("collections", usage.stops().collections());
            json.writeNumberField("pauseMs", usage.stops().pauseMs());
            json.writeNumberField("longestPauseMs", usage.stops().longestPauseMs());
            json.writeNumberField("safepoints", usage.stops().safepoints());
            json.writeNumberField("safepointMs", usage.stops().safepointMs());
        }
        json.writeEndObject();
    }

    private static void table(JsonGenerator json, Table table) throws IOException {
        json.writeStartObject();
        json.writeStringField("title", table.title());
        json.writeArrayFieldStart("rows");
        for (var row : table.rows()) {
            json.writeStartObject();
            for (int i = 0; i < row.size(); i++) {
                json.writeFieldName(table.columns().get(i));
                cell(json, row.get(i));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void cell(JsonGenerator json, Object cell) throws IOException {
        if (cell instanceof Spread spread) {
            json.writeStartObject();
            json.writeNumberField("median", spread.median());
            json.writeNumberField("min", spread.min());
            json.writeNumberField("max", spread.max());
            json.writeEndObject();
        } else if (cell instanceof MedianInterval interval) {
            json.writeStartObject();
            json.writeNumberField("median", interval.median());
            if (interval.isKnown()) {
                json.writeNumberField("low", interval.low());
                json.writeNumberField("high", interval.high());
            }
            json.writeEndObject();
        } else if (cell instanceof Double number) {
            json.writeNumber(number);
        } else if (cell instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeString(cell.toString());
        }
    }
}
