package io.dubbomesh.benchmark.process;

/** CPU time used, in microseconds. */
public record CpuTime(long userUs, long systemUs) {
    static final CpuTime NONE = new CpuTime(0, 0);

    public long totalUs() {
        return userUs + systemUs;
    }

    CpuTime plus(CpuTime other) {
        return new CpuTime(userUs + other.userUs, systemUs + other.systemUs);
    }

    public CpuTime minus(CpuTime earlier) {
        return new CpuTime(userUs - earlier.userUs, systemUs - earlier.systemUs);
    }
}
