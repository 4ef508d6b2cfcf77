package io.dubbomesh.consumer.upstream.call;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueRoomTest {
    @Test
    void callsOfUnprovenMethodsGetHalfOfTheNumber() {
        QueueRoom room = room(4, 100);
        room.add(true, 1);
        assertThat(room.isLeftForUnproven(1)).isTrue();
        room.add(true, 1);
        assertThat(room.isLeftForUnproven(1)).isFalse();
        assertThat(room.isLeft(1)).isTrue();

        room.add(false, 1);
        room.add(false, 1);
        assertThat(room.isLeft(1)).isFalse();
        room.remove(true, 1);
        assertThat(room.isLeftForUnproven(1)).isTrue();
        assertThat(room.isLeft(1)).isTrue();
        assertThat(room.calls()).isEqualTo(3);
    }

    @Test
    void callsOfUnprovenMethodsGetHalfOfTheBytes() {
        QueueRoom room = room(100, 100);
        room.add(false, 40);
        room.add(true, 30);
        assertThat(room.isLeftForUnproven(20)).isTrue();
        assertThat(room.isLeftForUnproven(21)).isFalse();
        assertThat(room.isLeft(30)).isTrue();
        assertThat(room.isLeft(31)).isFalse();
        room.remove(true, 30);
        assertThat(room.isLeft(60)).isTrue();
    }

    @Test
    void oneCallOfAnUnprovenMethodMayWaitHoweverSmallTheQueueIs() {
        QueueRoom room = room(1, 100);
        assertThat(room.isLeft(80) && room.isLeftForUnproven(80)).isTrue();
        assertThat(room(0, 100).isLeft(1)).isFalse();
    }

    private static QueueRoom room(int calls, long bytes) {
        return new QueueRoom(new QueueSettings(calls, bytes, 0, 0));
    }
}
