package io.dubbomesh.demo.conformance;

/** An enum whose constants are classes of their own. */
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
