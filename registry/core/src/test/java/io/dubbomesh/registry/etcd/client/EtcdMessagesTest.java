package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.runtime.protobuf.ProtobufReader;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Bytes that an etcd 3.4 has taken and answered with, on the wire. */
class EtcdMessagesTest {
    private static final byte[] KEY = "/a/b".getBytes(UTF_8);
    private static final String KEY_HEX = "2f612f62";
    /** The cluster, and the member. */
    private static final String IDS = "08b298eaf1948386fccd0110cdd2918bd2b881cf8e01";

    private static final long LEASE = 1_234_567_890L;

    private static String written(Consumer<ProtobufBuffer> message) {
        ProtobufBuffer out = new ProtobufBuffer(16);
        message.accept(out);
        return HexFormat.of().formatHex(out.array(), out.offset(), out.offset() + out.length());
    }

    private static ProtobufReader answer(String hex) {
        return new ProtobufReader(HexFormat.of().parseHex(hex));
    }

    private static void assertKey(KeyValue kv, long modRevision, String value, long lease) {
        assertThat(kv.keyText()).isEqualTo("/a/b");
        assertThat(kv.modRevision()).isEqualTo(modRevision);
        assertThat(new String(kv.value(), UTF_8)).isEqualTo(value);
        assertThat(kv.lease()).isEqualTo(lease);
    }

    @Test
    void aRange() {
        assertThat(written(RangeRequest.of(KEY, 0)::write)).isEqualTo("0a04" + KEY_HEX);
        assertThat(written(RangeRequest.of(KEY, 1)::write)).isEqualTo("0a04" + KEY_HEX + "2001");
        RangeRequest part = new RangeRequest("/a/".getBytes(UTF_8), "/a0".getBytes(UTF_8), 1, 3, true);
        assertThat(written(part::write)).isEqualTo("0a032f612f12032f6130180120034001");

        RangeResponse one = RangeResponse.read(
                answer("0a1a" + IDS + "18032002" + "12160a04" + KEY_HEX + "1002180320022a02763330d285d8cc04" + "2001"));
        assertThat(one.header()).isEqualTo(new ResponseHeader(3, 2));
        assertThat(one.kvs()).hasSize(1);
        assertKey(one.kvs().get(0), 3, "v3", LEASE);
        assertThat(one.more()).isFalse();

        RangeResponse none = RangeResponse.read(answer("0a1a" + IDS + "18022002"));
        assertThat(none.kvs()).isEmpty();
        assertThat(RangeResponse.read(answer("1801")).more()).isTrue();
    }

    @Test
    void aPutOfAKeyThatIsAsKnown() {
        assertThat(written(TxnRequest.put(KEY, 0, "v1".getBytes(UTF_8), 0)::write))
                .isEqualTo("0a0a10021a04" + KEY_HEX + "3000" + "120c120a0a04" + KEY_HEX + "12027631" + "1a080a060a04"
                        + KEY_HEX);
        assertThat(written(TxnRequest.put(KEY, 2, "v3".getBytes(UTF_8), LEASE)::write))
                .isEqualTo("0a0a10021a04" + KEY_HEX + "3002" + "121212100a04" + KEY_HEX + "1202763318d285d8cc04"
                        + "1a080a060a04" + KEY_HEX);

        TxnResponse put = TxnResponse.read(answer("0a1a" + IDS + "18022002" + "1001" + "1a0612040a021802"));
        assertThat(put.succeeded()).isTrue();
        assertThat(put.header().revision()).isEqualTo(2);
        assertThat(put.found()).isEmpty();

        TxnResponse other = TxnResponse.read(answer("0a1a" + IDS + "18032002" + "1a200a1e0a02180312160a04" + KEY_HEX
                + "1002180320022a02763330d285d8cc04" + "2001"));
        assertThat(other.succeeded()).isFalse();
        assertThat(other.header().revision()).isEqualTo(3);
        assertThat(other.found()).hasSize(1);
        assertKey(other.found().get(0), 3, "v3", LEASE);
    }

    @Test
    void aDeletionOfAKeyThatIsAsKnown() {
        assertThat(written(TxnRequest.delete(KEY, 3)::write))
                .isEqualTo("0a0a10021a04" + KEY_HEX + "3003" + "12081a060a04" + KEY_HEX + "1a080a060a04" + KEY_HEX);

        TxnResponse deleted = TxnResponse.read(answer("0a1a" + IDS + "18042002" + "1001" + "1a081a060a0218041001"));
        assertThat(deleted.succeeded()).isTrue();
        assertThat(deleted.header().revision()).isEqualTo(4);
    }

    @Test
    void aLease() {
        LeaseState granted = LeaseState.readGrant(answer("0a1a" + IDS + "18012002" + "10d285d8cc04181e"));
        assertThat(granted.id()).isEqualTo(LEASE);
        assertThat(granted.leftSeconds()).isEqualTo(30);

        LeaseState withKeys = LeaseState.read(answer("0a1a" + IDS + "18032002" + "10d285d8cc04181d201e2a04" + KEY_HEX));
        assertThat(withKeys.leftSeconds()).isEqualTo(29);
        assertThat(withKeys.grantedSeconds()).isEqualTo(30);
        assertThat(withKeys.keys()).containsExactly("/a/b");

        assertThat(LeaseState.readGrant(answer("0a1a" + IDS + "18022002" + "1063"))
                        .leftSeconds())
                .as("there is none to be prolonged")
                .isZero();
        assertThat(LeaseState.read(answer("0a1a" + IDS + "18022002" + "106318ffffffffffffffffff01"))
                        .leftSeconds())
                .as("there is none")
                .isEqualTo(-1);
    }

    @Test
    void aWatch() {
        WatchRequest request = new WatchRequest("/a/".getBytes(UTF_8), "/a0".getBytes(UTF_8), 2);
        assertThat(written(request::write)).isEqualTo("0a0c0a032f612f12032f61301802");
        assertThat(written(new WatchRequest(KEY, null, 2)::write)).isEqualTo("0a080a04" + KEY_HEX + "1802");
        assertThat(written(WatchRequest::writeProgress)).isEqualTo("1a00");

        assertThat(WatchResponse.read(answer("0a1a" + IDS + "18042002" + "1801"))
                        .created())
                .isTrue();

        WatchResponse changes = WatchResponse.read(answer("0a1a" + IDS + "18042002"
                + "5a1212100a04" + KEY_HEX + "1002180220012a027631"
                + "5a1812160a04" + KEY_HEX + "1002180320022a02763330d285d8cc04"
                + "5a0c080112080a04" + KEY_HEX + "1804"));
        assertThat(changes.created()).isFalse();
        assertThat(changes.canceled()).isFalse();
        assertThat(changes.header().revision()).isEqualTo(4);
        assertThat(changes.events()).extracting(WatchResponse.Event::deleted).containsExactly(false, false, true);
        assertKey(changes.events().get(0).kv(), 2, "v1", 0);
        assertKey(changes.events().get(1).kv(), 3, "v3", LEASE);
        assertKey(changes.events().get(2).kv(), 4, "", 0);

        WatchResponse progress = WatchResponse.read(answer("0a1a" + IDS + "18042002" + "10ffffffffffffffffff01"));
        assertThat(progress.events()).isEmpty();
        assertThat(progress.header().revision()).isEqualTo(4);
    }

    @Test
    void aWatchThatEtcdEnds() {
        WatchResponse compacted = WatchResponse.read(answer("0a18" + IDS + "2002" + "20012804"));
        assertThat(compacted.canceled()).isTrue();
        assertThat(compacted.compactRevision()).isEqualTo(4);
        assertThat(compacted.cancelReason()).isEmpty();

        WatchResponse refused = WatchResponse.read(answer("0a1a" + IDS + "18042002" + "10ffffffffffffffffff01"
                + "18012001"
                + "3247727063206572726f723a20636f6465203d20496e76616c6964417267756d656e742064657363203d2065746364"
                + "7365727665723a2075736572206e616d6520697320656d707479"));
        assertThat(refused.created()).isTrue();
        assertThat(refused.canceled()).isTrue();
        assertThat(refused.cancelReason())
                .isEqualTo("rpc error: code = InvalidArgument desc = etcdserver: user name is empty");
    }

    @Test
    void bytesOfAKeyThatAreNoTextStayAsTheyAre() {
        KeyValue kv = KeyValue.read(answer("0a02ff00"));
        assertThat(kv.key()).containsExactly(0xff, 0);
        assertThat(Arrays.compareUnsigned(kv.key(), KEY)).isPositive();
    }
}
