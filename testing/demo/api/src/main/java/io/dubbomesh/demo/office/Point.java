package io.dubbomesh.demo.office;

import java.io.Serializable;

/** A record. Only the newest Hessian of Dubbo knows them. */
public record Point(int x, int y, String name) implements Serializable {}
