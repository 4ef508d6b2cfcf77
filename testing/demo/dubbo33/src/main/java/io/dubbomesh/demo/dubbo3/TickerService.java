package io.dubbomesh.demo.dubbo3;

import org.apache.dubbo.common.stream.StreamObserver;

import java.io.Serializable;

/** A service whose answers are streams, which only Triple carries. */
public interface TickerService {
    /** One message of a stream. */
    class Tick implements Serializable {
        private static final long serialVersionUID = 1L;

        private long number;
        private String text;

        public long getNumber() {
            return number;
        }

        public void setNumber(long number) {
            this.number = number;
        }

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }
    }

    /** The wanted stream. */
    class Wish implements Serializable {
        private static final long serialVersionUID = 1L;

        private int count;
        private int length;
        private long pauseMs;
        private boolean failing;

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }

        /** Returns the length of each text. */
        public int getLength() {
            return length;
        }

        public void setLength(int length) {
            this.length = length;
        }

        /** Returns the time between messages. */
        public long getPauseMs() {
            return pauseMs;
        }

        public void setPauseMs(long pauseMs) {
            this.pauseMs = pauseMs;
        }

        /** Returns whether the stream fails behind its last message. */
        public boolean isFailing() {
            return failing;
        }

        public void setFailing(boolean failing) {
            this.failing = failing;
        }
    }

    /** Sends as many ticks as are wanted, from 0 on. */
    void tick(Wish wish, StreamObserver<Tick> ticks);

    /** Sends the words of a text. */
    void words(String text, StreamObserver<String> words);

    /** Answers a stream with a stream. */
    StreamObserver<String> chat(StreamObserver<String> answers);

    /** Returns how many streams have ended since their clients did not want them any more. */
    int cancelled();
}
