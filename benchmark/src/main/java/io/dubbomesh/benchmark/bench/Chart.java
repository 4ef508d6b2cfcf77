package io.dubbomesh.benchmark.bench;

/** A figure of the HTML report. */
interface Chart {
    String[] COLOURS = {
        "#3366cc", "#dc6912", "#2e8b57", "#b8336a", "#7a5cc4", "#8a7a12", "#138a9e", "#6b6b6b", "#c0392b", "#1f3a93"
    };

    String title();

    /** As an SVG element. */
    String svg();

    static String colour(int i) {
        return COLOURS[i % COLOURS.length];
    }

    /** A round number of which some four to nine make up {@code max}. */
    static double step(double max) {
        if (max <= 0) {
            return 1;
        }
        double magnitude = Math.pow(10, Math.floor(Math.log10(max)));
        double leading = max / magnitude;
        return magnitude * (leading < 2 ? 0.25 : leading < 4 ? 0.5 : 1);
    }
}
