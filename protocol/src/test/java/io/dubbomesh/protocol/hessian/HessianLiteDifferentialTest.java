package io.dubbomesh.protocol.hessian;

class HessianLiteDifferentialTest extends DifferentialTest {
    HessianLiteDifferentialTest() {
        super(HessianLite.LIBRARY);
    }
}
