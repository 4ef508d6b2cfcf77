package io.dubbomesh.registry.config;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

class RegistryUriTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeepr://mesh:s3cret@host:2181",
                "etcd://host:2379?username=mesh&password=s3cret",
                "etcd://mesh:s3cret@host:2379/odd/path",
                "etcd://mesh:s3cret/more@host:2379",
                "etcd://mesh:1/s3cret@host:2379",
                "etcd://mesh:1?s3cret@host:2379",
                "etcd://mesh:1?s3cret=@host:2379",
                "etcd://mesh:1?s3cret&more@host:2379",
                "etcd+dubbo://mesh:1?s3cret@host:2379",
                "mesh:s3cret@etcd:2379",
                "etcd:mesh:s3cret@host",
                "nacos:/mesh:s3cret@h",
                "static:mesh:s3cret@host:20880",
                "static:host:20880,mesh:s3cret@host:20880",
                "etcd://mesh:s3cret%40host",
                "etcd://h:1?s3cret",
                "etcd://h:1?ca=/nowhere&s3cret",
                "etcd://h:1?password=s3@cret",
                "nacos://h:8848?namespace=x&s3cret",
                "dns://name:20880/com.A?token=s3cret",
                "dns://name:20880/com.A?s3cret",
                "dns://mesh:s3cret@name/com.A"
            })
    void aPasswordThatIsInAUriIsNotRepeated(String uri) {
        assertThatThrownBy(() -> RegistryUri.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: ")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://127.0.0.1:2379",
                "etcd://127.0.0.1",
                "etcd://a:1,b:2,[::1]:3",
                "http://127.0.0.1:2379",
                "http://a:2379/",
                "http://a:2379,http://b:2379",
                "http://a:2379/,http://b:2379/",
                "file:/nowhere/at/all",
                "file:///nowhere/at/all",
                "etcd://a:1,b:2,file:/nowhere",
                "file:/nowhere,etcd://a:1,b:2",
                "http://a:1,etcd://b:2",
                "static:192.0.2.7:1",
                "static:192.0.2.7:1*0,a:1*1000,[::1]:30000*2",
                "dns://greeter.shop:20880/a.B:1.0,a.C",
                "etcd+dubbo://a:1,b",
                "etcd+dubbo://a/shop/dubbo",
                "etcd://a:1,etcd+dubbo://a:1,b:1/,dns://p:1/a.B,a.C?server=b",
                "static:dubbo://192.0.2.7:20880",
                "static:a:1,dubbo://b:2*100,dubbo://[::1]:3"
            })
    void aUriIsOpenedWithoutConnecting(String uri) {
        assertThatCode(() -> RegistryUri.open(uri).close()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "etcd",
                "etcd:",
                "etcd://",
                "etcd:///",
                "etcd://a:0",
                "etcd://a:1,",
                "etcd://a:1,,b:1",
                "etcd://a:1/path",
                "etcd://user@a:1",
                "https://a:2379",
                "ETCD://a:1",
                "zookeeper://a:2181",
                "etcd+dubbo://",
                "file:",
                "file:relative",
                "file://host/dir",
                "static:",
                "static:a",
                "static:a:1*",
                "static:a:1*1001",
                "static:a:1*-1",
                "static:a:1*99999",
                "static:a:1/",
                "static:a:1*2/a/b",
                "static:a:1/north*2",
                "static:a:1,",
                "static:0.0.0.0:1",
                "static:dubbo://",
                "static:dubbo://a",
                "static:dubbo://a:1*1001",
                "static:tri://a",
                "static:rest://a:1",
                "dubbo://a:1",
                "file:/nowhere,static:192.0.2.7:1",
                "file:/nowhere,nowhere://a",
                ",etcd://a:1"
            })
    void aMalformedUriIsRefusedWithWhatWasExpected(String uri) {
        assertThatThrownBy(() -> RegistryUri.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(
                        " (expected: etcd://host:2379[,host:2379][?username-file=&ca=&cert=&key=],"
                                + " etcd+dubbo://host:2379[,host:2379][/root][?username-file=&ca=&cert=&key=],"
                                + " dns://name[:port]/interface[:version[:group]],..., file:/dir or static:host:port*weight,...)");
    }

    @Test
    void aFixedListMayHaveDubboProviders() {
        List<Directory> listed = new ArrayList<>();
        RegistryUri.open(
                        "static:192.0.2.1:1*2/north,dubbo://192.0.2.2:2/south,dubbo://192.0.2.3:3*50,tri://192.0.2.2:2*7")
                .watch(listed::add);
        assertThat(listed.get(0).endpoints("any.Service"))
                .extracting(Endpoint::address, Endpoint::weight, Endpoint::isDirect, Endpoint::zone)
                .containsExactly(
                        tuple("192.0.2.1:1", 2, false, "north"),
                        tuple("192.0.2.2:2", 100, true, "south"),
                        tuple("192.0.2.3:3", 50, true, ""),
                        tuple("tri://192.0.2.2:2", 7, true, ""));
    }

    @Test
    void aServerOfGrpcInAFixedListIsCalledByTriple() {
        List<Directory> listed = new ArrayList<>();
        RegistryUri.open("static:grpc://192.0.2.1:1,grpc://192.0.2.2:2*7").watch(listed::add);
        assertThat(listed.get(0).endpoints("any.Service"))
                .extracting(endpoint -> endpoint.id().toString(), Endpoint::weight)
                .containsExactly(tuple("tri://192.0.2.1:1", 100), tuple("tri://192.0.2.2:2", 7));
    }

    @Test
    void aLeaseOutOfRangeIsRefused() {
        assertThatThrownBy(() -> RegistryUri.open("etcd://a:1", Duration.ofMillis(1_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("etcd lease: 1 s (expected: 2-3600)");
    }
}
