package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.testsupport.Selection;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A provider under test, by which protocol it is called, and where its agent takes methods and types from. */
enum Setup {
    V2_5_10("2.5.10", Jvm.DUBBO_2510, "hessian2", true, Services.ALL),
    V2_6_1("2.6.1", Jvm.DUBBO_26, "hessian2", true, Services.ALL),
    V2_6_1_FASTJSON("2.6.1 fastjson", Jvm.DUBBO_26, "fastjson", true, Services.ALL),
    V2_6_12("2.6.12", Jvm.DUBBO_2612, "hessian2", true, Services.ALL),
    V2_7_8("2.7.8", Jvm.DUBBO_278, "hessian2", true, Services.ALL),
    V2_7_23("2.7.23", Jvm.DUBBO_27, "hessian2", true, Services.ALL),
    V3_0_15("3.0.15", Jvm.DUBBO_30, "hessian2", true, Services.ALL),
    V3_1_11("3.1.11", Jvm.DUBBO_31, "hessian2", true, Services.ALL),
    V3_2_19("3.2.19", Jvm.DUBBO_32, "hessian2", true, Services.ALL),
    V3_2_19_FASTJSON2("3.2.19 fastjson2", Jvm.DUBBO_32, "fastjson2", true, Services.ALL),
    V3_3_6("3.3.6", Jvm.DUBBO, "hessian2", true, Services.ALL),
    V3_3_6_FASTJSON2("3.3.6 fastjson2", Jvm.DUBBO, "fastjson2", true, Services.ALL),
    V2_5_10_ALONE("2.5.10 alone", Jvm.DUBBO_2510, "hessian2", false, Services.OFFICE),
    V2_6_1_ALONE("2.6.1 alone", Jvm.DUBBO_26, "hessian2", false, Services.OFFICE),
    V2_6_12_ALONE("2.6.12 alone", Jvm.DUBBO_2612, "hessian2", false, Services.ALL),
    V2_7_8_ALONE("2.7.8 alone", Jvm.DUBBO_278, "hessian2", false, Services.OFFICE),
    V2_7_23_ALONE("2.7.23 alone", Jvm.DUBBO_27, "hessian2", false, Services.ALL),
    V3_0_15_ALONE("3.0.15 alone", Jvm.DUBBO_30, "hessian2", false, Services.OFFICE),
    V3_1_11_ALONE("3.1.11 alone", Jvm.DUBBO_31, "hessian2", false, Services.OFFICE),
    V3_2_19_ALONE("3.2.19 alone", Jvm.DUBBO_32, "hessian2", false, Services.OFFICE),
    V3_3_6_ALONE("3.3.6 alone", Jvm.DUBBO, "hessian2", false, Services.ALL),
    TRI_3_0_15(V3_0_15),
    TRI_3_1_11(V3_1_11),
    TRI_3_2_19(V3_2_19),
    TRI_3_2_19_FASTJSON2(V3_2_19_FASTJSON2),
    TRI_3_3_6(V3_3_6),
    TRI_3_3_6_FASTJSON2(V3_3_6_FASTJSON2),
    TRI_3_0_15_ALONE(V3_0_15_ALONE),
    TRI_3_1_11_ALONE(V3_1_11_ALONE),
    TRI_3_2_19_ALONE(V3_2_19_ALONE),
    TRI_3_3_6_ALONE(V3_3_6_ALONE);

    private enum Services {
        CONFORMANCE,
        OFFICE,
        ALL
    }

    private final String label;
    private final Jvm jvm;
    private final String serialization;
    private final boolean classFiles;
    private final Services services;
    /** The same by the protocol {@code dubbo}; null if this is that. */
    private final Setup byDubbo;

    /** By Triple: through a gateway, without a provider agent. */
    Setup(Setup byDubbo) {
        this(byDubbo.label + " tri", byDubbo.jvm, byDubbo.serialization, byDubbo.classFiles, byDubbo.services, byDubbo);
    }

    Setup(String label, Jvm jvm, String serialization, boolean classFiles, Services services) {
        this(label, jvm, serialization, classFiles, services, null);
    }

    Setup(String label, Jvm jvm, String serialization, boolean classFiles, Services services, Setup byDubbo) {
        this.label = label;
        this.jvm = jvm;
        this.serialization = serialization;
        this.classFiles = classFiles;
        this.services = services;
        this.byDubbo = byDubbo;
    }

    static Setup labelled(String label) {
        return Arrays.stream(values())
                .filter(setup -> setup.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("setup: " + label));
    }

    /**
     * Returns all set-ups of pairs with {@code -Dtest.all=true}, otherwise five: the oldest provider and the newest,
     * each serialization, with class files and without.
     */
    static List<Setup> selected() {
        Set<Setup> some = Set.of(V2_5_10, V2_6_1_FASTJSON, V2_7_23_ALONE, V3_2_19_FASTJSON2, V3_3_6_ALONE);
        return Selection.of(pairs().toArray(Setup[]::new), some);
    }

    /**
     * Returns all set-ups by Triple with {@code -Dtest.all=true}, otherwise two: the oldest provider and the newest,
     * with class files and without.
     */
    static List<Setup> selectedByTriple() {
        return Selection.of(byTriple().toArray(Setup[]::new), Set.of(TRI_3_0_15, TRI_3_3_6_ALONE));
    }

    /** Returns the set-ups of a pair of agents and the protocol {@code dubbo}. */
    static List<Setup> pairs() {
        return Arrays.stream(values()).filter(setup -> setup.byDubbo == null).toList();
    }

    static List<Setup> byTriple() {
        return Arrays.stream(values()).filter(setup -> setup.byDubbo != null).toList();
    }

    /** Returns the set-ups of pairs without class files. */
    static List<Setup> alone() {
        return pairs().stream().filter(setup -> !setup.classFiles).toList();
    }

    /** Pairs with calls of these services, whose agents have the class files or know only what the provider lists. */
    static List<Setup> all(boolean office, boolean classFiles) {
        return pairs().stream()
                .filter(setup -> setup.classFiles == classFiles && setup.serves(office))
                .toList();
    }

    private boolean serves(boolean office) {
        return services != (office ? Services.CONFORMANCE : Services.OFFICE);
    }

    boolean makes(Call call) {
        return serves(call.isOfOffice());
    }

    /** Null if this is by the protocol {@code dubbo}. */
    Setup byDubbo() {
        return byDubbo;
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

    /** Returns the name for files. */
    String fileName() {
        return label.replace(' ', '-');
    }

    @Override
    public String toString() {
        return label;
    }
}
