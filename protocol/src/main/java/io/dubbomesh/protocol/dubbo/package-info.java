/** Frames of Dubbo 2 with bodies in Hessian 2 or fastjson: requests from text or JSON, answers to text, JSON or problems. */
package io.dubbomesh.protocol.dubbo;
