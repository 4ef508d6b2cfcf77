package io.dubbomesh.benchmark.bench;

/** CPU time used, in microseconds. */
record CpuTime(long userUs, long systemUs) {
    static final CpuTime NONE = new CpuTime(0, 0);

    long totalUs() {
        return userUs + systemUs;
    }

    CpuTime plus(CpuTime other) {
        return new CpuTime(userUs + other.userUs, systemUs + other.systemUs);
    }

    CpuTime minus(CpuTime earlier) {
        return new CpuTime(userUs - earlier.userUs, systemUs - earlier.systemUs);
    }
}
