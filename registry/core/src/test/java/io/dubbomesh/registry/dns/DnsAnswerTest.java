package io.dubbomesh.registry.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseDecoder;
import io.netty.handler.codec.dns.DnsRecordType;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The responses are those of dnsmasq 2.90. */
class DnsAnswerTest {
    private static final InetSocketAddress ANYWHERE = InetSocketAddress.createUnresolved("192.0.2.1", 53);

    private static DnsAnswer read(String hex, String name, DnsRecordType type) {
        ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
        EmbeddedChannel channel = new EmbeddedChannel(new DatagramDnsResponseDecoder());
        channel.writeInbound(new DatagramPacket(bytes, ANYWHERE, ANYWHERE));
        DatagramDnsResponse response = channel.readInbound();
        try {
            return DnsAnswer.read(response, name, type);
        } finally {
            response.release();
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void addressesAreThoseOfTheName() {
        DnsAnswer answer = read(
                "12348580000100020000000001610474657374" + "0000010001"
                        + "c00c000100010000001e0004c0000207"
                        + "c00c000100010000001e0004c0000208",
                "a.test.",
                DnsRecordType.A);

        assertThat(answer.addresses()).containsExactly("192.0.2.7", "192.0.2.8");
        assertThat(answer.ttlSeconds()).isEqualTo(30);
    }

    @Test
    void addressesOfAnAliasCountForTheNameAndHoldAsLongAsTheAlias() {
        DnsAnswer answer = read(
                "12348580000100030000000005616c696173047465737400" + "00010001"
                        + "c00c000500010000000a00080161047465737400"
                        + "c028000100010000001e0004c0000208"
                        + "c028000100010000001e0004c0000207",
                "Alias.test.",
                DnsRecordType.A);

        assertThat(answer.addresses()).containsExactly("192.0.2.8", "192.0.2.7");
        assertThat(answer.ttlSeconds()).isEqualTo(10);
    }

    @Test
    void anAddressOfIp6HasItsShortestForm() {
        DnsAnswer answer = read(
                "1234858000010001000000000373697804746573740000" + "1c0001"
                        + "c00c001c000100000014001020010db8000000000000000000000007",
                "six.test.",
                DnsRecordType.AAAA);

        assertThat(answer.addresses()).containsExactly("2001:db8::7");
    }

    @Test
    void servicesComeWithTheAddressesOfTheirTargets() {
        DnsAnswer answer = read(
                "123485800001000200000002065f647562626f045f7463700173047465737400" + "00210001"
                        + "c00c0021000100000000000f000000325191027032047465737400"
                        + "c00c0021000100000000000f000000325190027031047465737400"
                        + "c05100010001000000000004c000020b"
                        + "c03600010001000000000004c000020c",
                "_dubbo._tcp.s.test.",
                DnsRecordType.SRV);

        assertThat(answer.services())
                .containsExactly(
                        new DnsAnswer.Service(0, 50, 20881, "p2.test."),
                        new DnsAnswer.Service(0, 50, 20880, "p1.test."));
        assertThat(answer.additional())
                .isEqualTo(Map.of("p1.test.", List.of("192.0.2.11"), "p2.test.", List.of("192.0.2.12")));
        assertThat(answer.ttlSeconds()).isZero();
    }

    @Test
    void recordsOfOtherNamesDoNotCount() {
        DnsAnswer answer = read(
                "123485800001000100000000016104746573740000010001" + "0162047465737400"
                        + "000100010000001e0004c0000207",
                "a.test.",
                DnsRecordType.A);

        assertThat(answer.isEmpty()).isTrue();
    }

    @Test
    void anAddressOfWrongLengthIsRefused() {
        assertThatThrownBy(() -> read(
                        "123485800001000100000000016104746573740000010001" + "c00c000100010000001e0003c00002",
                        "a.test.",
                        DnsRecordType.A))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("an address of 3 bytes");
    }

    @Test
    void aliasesThatGoInACircleEnd() {
        DnsAnswer answer = read(
                "123485800001000200000000016104746573740000010001"
                        + "c00c000500010000000a00080162047465737400"
                        + "0162047465737400000500010000000a0002c00c",
                "a.test.",
                DnsRecordType.A);

        assertThat(answer.isEmpty()).isTrue();
    }
}
