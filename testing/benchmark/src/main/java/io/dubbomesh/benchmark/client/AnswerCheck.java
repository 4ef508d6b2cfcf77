package io.dubbomesh.benchmark.client;

import io.dubbomesh.benchmark.ledger.Ledger;
import io.dubbomesh.benchmark.ledger.NumberedText;
import io.dubbomesh.benchmark.ledger.Outcome;
import io.netty.handler.codec.http.FullHttpResponse;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Finds out what an answer says about a call. */
final class AnswerCheck {
    /** The character with which the stub provider fills long answers. */
    private static final char FILLER = 'x';

    private static final int MAX_DIGITS = 11;

    private final Request request;
    private final Ledger ledger;
    private final NumberedText texts;

    AnswerCheck(Request request, Ledger ledger) {
        this.request = request;
        this.ledger = ledger;
        texts = ledger.texts();
    }

    Outcome outcome(int number, FullHttpResponse answer) {
        if (answer.decoderResult().isFailure()) {
            return Outcome.WRONG;
        }
        return switch (answer.status().code()) {
            case 200 -> ofValue(number, answer.content().toString(UTF_8));
            case 429, 503 -> Outcome.REFUSED;
            case 500 -> answer.headers().contains("X-Dubbo-Exception") ? Outcome.FAILED : Outcome.UNTAGGED;
            default -> Outcome.FAILED;
        };
    }

    private Outcome ofValue(int number, String body) {
        int named = number(body);
        if (named == number) {
            return Outcome.GOOD;
        }
        return ledger.contains(named) ? Outcome.CROSSED : Outcome.WRONG;
    }

    /** The number of the call to which this is the right answer, or -1. */
    private int number(String body) {
        boolean quoted = request.format() == Request.Format.JSON
                && (request.expected() == Request.Expected.TEXT || request.answerLength() > 0);
        String value = body;
        if (quoted) {
            if (body.length() < 2 || !body.startsWith("\"") || !body.endsWith("\"")) {
                return -1;
            }
            value = body.substring(1, body.length() - 1);
        }
        return request.expected() == Request.Expected.TEXT ? numberOfText(value) : numberOfHash(value);
    }

    private int numberOfText(String value) {
        int number = texts.number(value.hashCode());
        return number >= 0 && texts.text(number).equals(value) ? number : -1;
    }

    private int numberOfHash(String value) {
        int digits = value.indexOf(FILLER);
        if (digits < 0) {
            digits = value.length();
        }
        if (digits > MAX_DIGITS || value.length() != Math.max(digits, request.answerLength())) {
            return -1;
        }
        for (int i = digits; i < value.length(); i++) {
            if (value.charAt(i) != FILLER) {
                return -1;
            }
        }
        try {
            int hash = Integer.parseInt(value.substring(0, digits));
            return value.startsWith(Integer.toString(hash)) ? texts.number(hash) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
