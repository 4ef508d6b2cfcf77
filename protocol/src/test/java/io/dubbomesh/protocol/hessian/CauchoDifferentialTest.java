package io.dubbomesh.protocol.hessian;

class CauchoDifferentialTest extends DifferentialTest {
    CauchoDifferentialTest() {
        super(new Caucho());
    }
}
