package com.alibaba.dubbo.performance.demo.provider;

/** The service of the 2018 Dubbo Mesh benchmark, by its original name: the name is part of each request. */
public interface IHelloService {

    /** {@link String#hashCode()} of {@code text}. */
    int hash(String text);
}
