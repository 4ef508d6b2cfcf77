package io.dubbomesh.demo.office;

/** An enum whose constants have classes and fields of their own. */
public enum Paper {
    LETTER(216) {
        @Override
        public Paper next() {
            return A4;
        }
    },
    A4(210) {
        @Override
        public Paper next() {
            return LETTER;
        }
    };

    private final int widthMm;

    Paper(int widthMm) {
        this.widthMm = widthMm;
    }

    public abstract Paper next();

    public int widthMm() {
        return widthMm;
    }
}
