package io.dubbomesh.protocol.definition;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what the code of constructors, getters and setters shows. */
class ConstructionTest {
    private static final String HERE = ConstructionTest.class.getName() + '$';

    interface Service {
        void use(Plain plain, Sub sub, Delegating delegating, Full full, Bean bean, Point point, Switching switching);

        void use(Overriding overriding, Helped helped, Conditional conditional);
    }

    static class Plain {
        int page = 1;
        List<String> tags = List.of("x");
        final long limit = 7;
        int zero = 0;
        String none = null;
        double real = 0;
        boolean unset;
    }

    static class Sub extends Plain {
        String name = "n";
        int own;
    }

    static class Delegating {
        int size;
        String text;
        String other;

        Delegating() {
            this(5);
            setText("t");
        }

        Delegating(int size) {
            this.size = size;
        }

        void setText(String text) {
            this.text = text;
        }
    }

    /** No provider makes one without values. */
    static class Full {
        int size;

        Full(int size) {
            this.size = size;
        }
    }

    record Point(int x) {}

    /** With instructions whose length depends on their place. */
    static class Switching {
        int a;
        int b;

        Switching() {
            switch ((int) System.nanoTime() & 7) {
                case 0, 1 -> a = 1;
                case 3 -> a = 2;
                default -> {}
            }
            switch (String.valueOf(a)) {
                case "1" -> b = 1;
                case "700" -> b = 2;
                default -> {}
            }
        }
    }

    static class Overridden {
        int inherited;

        Overridden() {
            init();
        }

        void init() {}

        void setInherited(int inherited) {
            this.inherited = inherited;
        }
    }

    static class Overriding extends Overridden {
        int own;
        int unset;

        Overriding() {
            setInherited(4);
        }

        @Override
        void init() {
            own = 3;
        }
    }

    static class Helped {
        int size;
        int zero;

        Helped() {
            fill(this);
            zero = 0;
        }

        private static void fill(Helped made) {
            made.size = 5;
        }
    }

    static class Conditional {
        int zero = 0;
        boolean flag = System.nanoTime() != 3;
        String text = flag ? "t" : null;
        int number = flag ? 7 : 0;
        int unset;
    }

    static class Bean {
        private String m_name;
        private boolean m_done;
        private long count;
        private Object computed;
        private int chained;

        String getName() {
            return m_name;
        }

        void setName(String name) {
            m_name = name;
        }

        boolean isDone() {
            return m_done;
        }

        void setTotal(long total) {
            count = total;
        }

        /** Does more than return it. */
        String getShown() {
            return "" + computed;
        }

        Bean setLinked(int value) {
            chained = value;
            return this;
        }

        long get() {
            return count;
        }

        /** Sets it to something else. */
        void setDisabled(boolean disabled) {
            chained = 1;
        }
    }

    private static FieldFacts facts(String name) throws Exception {
        ServiceDefinition service =
                ClassDefinitions.of(Service.class.getName(), new ClassHierarchy(ConstructionTest::find));
        return service.types().get(HERE + name).facts();
    }

    private static byte[] find(String className) throws IOException {
        try (InputStream in =
                ConstructionTest.class.getResourceAsStream('/' + className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    @Test
    void fieldsAreAssignedThatAConstructorGivesAValue() throws Exception {
        assertThat(facts("Plain").assigned()).containsExactlyInAnyOrder("page", "tags", "limit");
        assertThat(facts("Sub").assigned()).containsExactlyInAnyOrder("page", "tags", "limit", "name");
        assertThat(facts("Switching").assigned()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void theConstructorsAndMethodsThatItCallsCount() throws Exception {
        assertThat(facts("Delegating").assigned()).containsExactlyInAnyOrder("size", "text");
    }

    @Test
    void soDoMethodsThatAreInheritedOverriddenOrStatic() throws Exception {
        assertThat(facts("Overriding").assigned()).containsExactlyInAnyOrder("inherited", "own");
        assertThat(facts("Helped").assigned()).containsExactly("size");
    }

    /** The last instruction before it may be the other branch. */
    @Test
    void aConditionalValueIsNotCertainlyZero() throws Exception {
        assertThat(facts("Conditional").assigned()).containsExactlyInAnyOrder("flag", "text", "number");
    }

    @Test
    void aClassThatNobodyMakesWithoutValuesHasNone() throws Exception {
        assertThat(facts("Full").assigned()).isEmpty();
        assertThat(facts("Point").assigned()).isEmpty();
    }

    @Test
    void aPropertyIsTheFieldThatItsAccessorsUse() throws Exception {
        assertThat(facts("Bean").properties())
                .containsOnly(
                        Map.entry("name", "m_name"),
                        Map.entry("done", "m_done"),
                        Map.entry("total", "count"),
                        Map.entry("linked", "chained"));
    }
}
