package io.dubbomesh.acceptance;

import java.util.Arrays;

/** A provider that calls are tested with: a version of Dubbo and what it speaks. */
enum DubboVersion {
    V2_6_1("2.6.1", Jvm.DUBBO_26, "hessian2"),
    V2_6_1_FASTJSON("2.6.1 fastjson", Jvm.DUBBO_26, "fastjson"),
    V2_6_12("2.6.12", Jvm.DUBBO_2612, "hessian2"),
    V2_7_23("2.7.23", Jvm.DUBBO_27, "hessian2"),
    V3_2_19("3.2.19", Jvm.DUBBO_32, "hessian2"),
    V3_2_19_FASTJSON2("3.2.19 fastjson2", Jvm.DUBBO_32, "fastjson2"),
    V3_3_6("3.3.6", Jvm.DUBBO, "hessian2"),
    V3_3_6_FASTJSON2("3.3.6 fastjson2", Jvm.DUBBO, "fastjson2");

    private final String label;
    private final Jvm jvm;
    private final String serialization;

    DubboVersion(String label, Jvm jvm, String serialization) {
        this.label = label;
        this.jvm = jvm;
        this.serialization = serialization;
    }

    static DubboVersion labelled(String label) {
        return Arrays.stream(values())
                .filter(version -> version.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("version: " + label));
    }

    Jvm jvm() {
        return jvm;
    }

    String serialization() {
        return serialization;
    }

    /** For a file. */
    String fileName() {
        return label.replace(' ', '-');
    }

    @Override
    public String toString() {
        return label;
    }
}
