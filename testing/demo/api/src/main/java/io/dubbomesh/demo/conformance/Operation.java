package io.dubbomesh.demo.conformance;

/** An enum whose constants have their own classes. */
public enum Operation {
    PLUS {
        @Override
        public long apply(long left, long right) {
            return left + right;
        }
    },
    TIMES {
        @Override
        public long apply(long left, long right) {
            return left * right;
        }
    };

    public abstract long apply(long left, long right);
}
