package io.dubbomesh.transport.memory;

import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.memory.StrangerMemory.Stranger;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class StrangerMemoryTest {
    private final MemoryBudget budget = new MemoryBudget(800);
    private final StrangerMemory strangers = budget.strangers();
    private final List<String> dropped = new ArrayList<>();
    private final Stranger first = () -> dropped.add("first");
    private final Stranger second = () -> dropped.add("second");
    private final Stranger third = () -> dropped.add("third");

    @Test
    void whoeverKeptSomethingFirstIsDroppedForWhatIsBeyondAQuarter() {
        strangers.keep(first, 100);
        strangers.keep(second, 50);
        strangers.keep(first, 150);
        assertThat(dropped).isEmpty();
        assertThat(budget.used()).isEqualTo(200);

        strangers.keep(third, 1);

        assertThat(dropped).containsExactly("first");
        assertThat(budget.used(Use.STRANGERS)).isEqualTo(51);
        assertThat(strangers.count()).isEqualTo(2);
    }

    @Test
    void asManyAreDroppedAsTheNewOneNeedsButNeverItself() {
        strangers.keep(first, 100);
        strangers.keep(second, 100);

        strangers.keep(first, 5000);

        assertThat(dropped).containsExactly("second");
        assertThat(budget.used()).isEqualTo(5000);
    }

    @Test
    void whoeverKeepsNothingAnyMoreIsNotDropped() {
        strangers.keep(first, 150);
        strangers.keep(first, 0);
        strangers.keep(first, 0);
        strangers.keep(second, 150);
        strangers.keep(third, 150);

        assertThat(dropped).containsExactly("second");
        strangers.keep(third, 0);
        assertThat(budget.used()).isZero();
    }

    @Test
    void aStrangerMaySayInTurnThatItKeepsNothing() {
        Stranger careful = new Stranger() {
            @Override
            public void drop() {
                strangers.keep(this, 0);
            }
        };
        strangers.keep(careful, 150);
        strangers.keep(first, 100);

        assertThat(budget.used()).isEqualTo(100);
    }
}
