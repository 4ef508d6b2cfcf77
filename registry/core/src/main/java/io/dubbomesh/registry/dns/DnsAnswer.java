package io.dubbomesh.registry.dns;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.util.NetUtil;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The records of the type that was asked for, at the name or at the last of its aliases.
 *
 * @param owner      the name that has the records, or the last alias if the answer has none of them
 * @param addresses  of A and AAAA records
 * @param services   of SRV records
 * @param additional addresses that came with SRV records, by the name of their target
 * @param ttlSeconds the smallest of what was used; 0 if there are no records
 */
record DnsAnswer(
        String owner,
        List<String> addresses,
        List<Service> services,
        Map<String, List<String>> additional,
        long ttlSeconds) {
    private static final int CLASS_IN = 1;
    private static final int MAX_ALIASES = 16;

    /** An SRV record. */
    record Service(int priority, int weight, int port, String target) {}

    static DnsAnswer none(String name) {
        return new DnsAnswer(name, List.of(), List.of(), Map.of(), 0);
    }

    boolean isEmpty() {
        return addresses.isEmpty() && services.isEmpty();
    }

    /** @throws CorruptedFrameException if a record is malformed */
    static DnsAnswer read(DnsResponse response, String name, DnsRecordType type) {
        Map<String, DnsRecord> aliases = new HashMap<>();
        List<DnsRecord> records = new ArrayList<>();
        for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
            DnsRecord record = response.recordAt(DnsSection.ANSWER, i);
            if (record.dnsClass() != CLASS_IN) {
                continue;
            }
            if (record.type().equals(DnsRecordType.CNAME)) {
                aliases.put(key(record.name()), record);
            } else if (record.type().equals(type)) {
                records.add(record);
            }
        }
        String owner = key(name);
        long ttl = Long.MAX_VALUE;
        for (int i = 0; i < MAX_ALIASES && aliases.containsKey(owner); i++) {
            DnsRecord alias = aliases.get(owner);
            ttl = Math.min(ttl, alias.timeToLive());
            owner = key(domainName(content(alias)));
        }
        List<String> addresses = new ArrayList<>();
        List<Service> services = new ArrayList<>();
        for (DnsRecord record : records) {
            if (key(record.name()).equals(owner)) {
                ttl = Math.min(ttl, record.timeToLive());
                if (type.equals(DnsRecordType.SRV)) {
                    services.add(service(content(record)));
                } else {
                    addresses.add(address(content(record)));
                }
            }
        }
        if (addresses.isEmpty() && services.isEmpty()) {
            return none(owner);
        }
        Map<String, List<String>> additional = services.isEmpty() ? Map.of() : additional(response);
        return new DnsAnswer(owner, addresses, services, additional, ttl);
    }

    private static Map<String, List<String>> additional(DnsResponse response) {
        Map<String, List<String>> addresses = new HashMap<>();
        collect(response, DnsRecordType.AAAA, addresses);
        // Where a target has both, it is one provider and not two.
        Map<String, List<String>> ip4 = new HashMap<>();
        collect(response, DnsRecordType.A, ip4);
        addresses.putAll(ip4);
        return addresses;
    }

    private static void collect(DnsResponse response, DnsRecordType type, Map<String, List<String>> addresses) {
        for (int i = 0; i < response.count(DnsSection.ADDITIONAL); i++) {
            DnsRecord record = response.recordAt(DnsSection.ADDITIONAL, i);
            if (record.type().equals(type) && record.dnsClass() == CLASS_IN) {
                addresses
                        .computeIfAbsent(key(record.name()), target -> new ArrayList<>())
                        .add(address(content(record)));
            }
        }
    }

    private static Service service(ByteBuf content) {
        if (content.readableBytes() < 7) {
            throw new CorruptedFrameException("an SRV record of " + content.readableBytes() + " bytes");
        }
        return new Service(
                content.readUnsignedShort(),
                content.readUnsignedShort(),
                content.readUnsignedShort(),
                key(domainName(content)));
    }

    private static String address(ByteBuf content) {
        int length = content.readableBytes();
        if (length != 4 && length != 16) {
            throw new CorruptedFrameException("an address of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        content.readBytes(bytes);
        return NetUtil.bytesToIpAddress(bytes);
    }

    private static String domainName(ByteBuf content) {
        return DefaultDnsRecordDecoder.decodeName(content);
    }

    /** Returns the content with its own indexes, since Netty's resolver reads aliases too. */
    private static ByteBuf content(DnsRecord record) {
        if (record instanceof DnsRawRecord raw) {
            return raw.content().duplicate();
        }
        throw new CorruptedFrameException("no content in " + record.type());
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
