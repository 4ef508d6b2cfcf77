package io.dubbomesh.runtime;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShownUriTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    etcd://host:2379,other:2379       | etcd://host:2379,other:2379
                    static:dubbo://host:20880*3       | static:dubbo://host:20880*3
                    etcd://mesh:s3cret@host:2379      | etcd://...@host:2379
                    etcd://a:s3@cret@host:2379/root   | etcd://...@host:2379/root
                    etcd://a:s3@b:1,etcd://c:s4@d:2   | etcd://...@d:2
                    mesh:s3cret@etcd:2379             | ...@etcd:2379
                    etcd:mesh:s3cret@host             | ...@host
                    nacos:/mesh:s3cret@h              | ...@h
                    https://mesh:s3cret%40h           | https://...@h
                    etcd://h:1?password=s3cret&ca=/ca | etcd://h:1?password=...&ca=...
                    etcd://a:b@h:1?password=s3cret    | etcd://...@h:1?password=...
                    nacos://h:1?namespace=x&s3cret    | nacos://h:1?namespace=...&...
                    etcd://h:1?s3cret                 | etcd://h:1?...
                    https://h/v1#s3cret               | https://h/v1#...
                    etcd://mesh:s3?cret@host          | etcd://...
                    etcd://h:1?password=s3@cret       | etcd://...
                    """)
    void whatMayBeASecretIsCut(String uri, String shown) {
        assertThat(ShownUri.of(uri)).isEqualTo(shown);
    }
}
