package io.dubbomesh.acceptance;

import java.util.Arrays;
import java.util.List;

/** A provider under test, and where its agent takes methods and types from. */
enum Setup {
    V2_6_1("2.6.1", Jvm.DUBBO_26, "hessian2", true),
    V2_6_1_FASTJSON("2.6.1 fastjson", Jvm.DUBBO_26, "fastjson", true),
    V2_6_12("2.6.12", Jvm.DUBBO_2612, "hessian2", true),
    V2_7_23("2.7.23", Jvm.DUBBO_27, "hessian2", true),
    V3_2_19("3.2.19", Jvm.DUBBO_32, "hessian2", true),
    V3_2_19_FASTJSON2("3.2.19 fastjson2", Jvm.DUBBO_32, "fastjson2", true),
    V3_3_6("3.3.6", Jvm.DUBBO, "hessian2", true),
    V3_3_6_FASTJSON2("3.3.6 fastjson2", Jvm.DUBBO, "fastjson2", true),
    V2_6_12_ALONE("2.6.12 alone", Jvm.DUBBO_2612, "hessian2", false),
    V2_7_23_ALONE("2.7.23 alone", Jvm.DUBBO_27, "hessian2", false),
    V3_3_6_ALONE("3.3.6 alone", Jvm.DUBBO, "hessian2", false);

    private final String label;
    private final Jvm jvm;
    private final String serialization;
    private final boolean classFiles;

    Setup(String label, Jvm jvm, String serialization, boolean classFiles) {
        this.label = label;
        this.jvm = jvm;
        this.serialization = serialization;
        this.classFiles = classFiles;
    }

    static Setup labelled(String label) {
        return Arrays.stream(values())
                .filter(setup -> setup.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("setup: " + label));
    }

    /** Setups whose agents have the class files of the service, or those whose agents know only what the provider lists. */
    static List<Setup> all(boolean classFiles) {
        return Arrays.stream(values())
                .filter(setup -> setup.classFiles == classFiles)
                .toList();
    }

    Jvm jvm() {
        return jvm;
    }

    String serialization() {
        return serialization;
    }

    boolean classFiles() {
        return classFiles;
    }

    /** For files. */
    String fileName() {
        return label.replace(' ', '-');
    }

    @Override
    public String toString() {
        return label;
    }
}
