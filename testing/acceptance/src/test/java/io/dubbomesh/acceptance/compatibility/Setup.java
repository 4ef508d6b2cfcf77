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
    TRI_3_3_6_ALONE(V3_3_6_ALONE),
    TRI_3_0_15_PAIR(TRI_3_0_15),
    TRI_3_1_11_PAIR(TRI_3_1_11),
    TRI_3_2_19_PAIR(TRI_3_2_19),
    TRI_3_2_19_FASTJSON2_PAIR(TRI_3_2_19_FASTJSON2),
    TRI_3_3_6_PAIR(TRI_3_3_6),
    TRI_3_3_6_FASTJSON2_PAIR(TRI_3_3_6_FASTJSON2),
    TRI_3_0_15_ALONE_PAIR(TRI_3_0_15_ALONE),
    TRI_3_1_11_ALONE_PAIR(TRI_3_1_11_ALONE),
    TRI_3_2_19_ALONE_PAIR(TRI_3_2_19_ALONE),
    TRI_3_3_6_ALONE_PAIR(TRI_3_3_6_ALONE);

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
    /** The set-up whose answers are to be the same, see {@link #base}. */
    private final Setup base;

    /** Those by Triple: through a gateway what a pair does by the protocol {@code dubbo}, or through a pair as well. */
    Setup(Setup base) {
        this(
                base.label + (base.base == null ? " tri" : " pair"),
                base.jvm,
                base.serialization,
                base.classFiles,
                base.services,
                base);
    }

    Setup(String label, Jvm jvm, String serialization, boolean classFiles, Services services) {
        this(label, jvm, serialization, classFiles, services, null);
    }

    Setup(String label, Jvm jvm, String serialization, boolean classFiles, Services services, Setup base) {
        this.label = label;
        this.jvm = jvm;
        this.serialization = serialization;
        this.classFiles = classFiles;
        this.services = services;
        this.base = base;
    }

    static Setup labelled(String label) {
        return Arrays.stream(values())
                .filter(setup -> setup.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("setup: " + label));
    }

    /**
     * Returns all set-ups by the protocol {@code dubbo} with {@code -Dtest.all=true}, otherwise five: the oldest
     * provider and the newest, each serialization, with class files and without.
     */
    static List<Setup> selected() {
        Set<Setup> some = Set.of(V2_5_10, V2_6_1_FASTJSON, V2_7_23_ALONE, V3_2_19_FASTJSON2, V3_3_6_ALONE);
        return Selection.of(byDubbo().toArray(Setup[]::new), some);
    }

    /**
     * Returns all set-ups by Triple with {@code -Dtest.all=true}, otherwise three: the oldest provider and the newest,
     * with class files and without, through a gateway and through a pair.
     */
    static List<Setup> selectedByTriple() {
        Set<Setup> some = Set.of(TRI_3_0_15, TRI_3_3_6_ALONE, TRI_3_0_15_PAIR);
        return Selection.of(byTriple().toArray(Setup[]::new), some);
    }

    /** Returns the set-ups of a pair of agents and the protocol {@code dubbo}. */
    static List<Setup> byDubbo() {
        return Arrays.stream(values()).filter(setup -> !setup.isByTriple()).toList();
    }

    static List<Setup> byTriple() {
        return Arrays.stream(values()).filter(Setup::isByTriple).toList();
    }

    /** Returns the set-ups by the protocol {@code dubbo} without class files. */
    static List<Setup> alone() {
        return byDubbo().stream().filter(setup -> !setup.classFiles).toList();
    }

    /**
     * Returns the set-ups by the protocol {@code dubbo} with calls of these services, whose agents have the class files
     * or know only what the provider lists.
     */
    static List<Setup> all(boolean office, boolean classFiles) {
        return byDubbo().stream()
                .filter(setup -> setup.classFiles == classFiles && setup.serves(office))
                .toList();
    }

    private boolean serves(boolean office) {
        return services != (office ? Services.CONFORMANCE : Services.OFFICE);
    }

    boolean makes(Call call) {
        return serves(call.isOfOffice()) && !isByChance(call);
    }

    /**
     * Whether any variant of the service may take the call: before Dubbo 3.2 the one of an interface that was exported
     * last takes the calls by Triple of all that are not exported, and of the one without version and group.
     */
    private boolean isByChance(Call call) {
        boolean ofVariants =
                call.service().equals(Call.OFFICE + "Vault") || call.method().equals("version");
        boolean old = isByTriple() && (jvm == Jvm.DUBBO_30 || jvm == Jvm.DUBBO_31);
        return old && ofVariants && (call.query().isEmpty() || call.query().equals("version=3.0.0"));
    }

    /**
     * Returns the set-up whose answers are to be the same but for the known limits: of a gateway by Triple the pair by
     * the protocol {@code dubbo}, and of a pair by Triple that gateway. Null if this is by {@code dubbo}.
     */
    Setup base() {
        return base;
    }

    boolean isByTriple() {
        return base != null;
    }

    /** Whether there is no provider agent. */
    boolean isGateway() {
        return base != null && base.base == null;
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
