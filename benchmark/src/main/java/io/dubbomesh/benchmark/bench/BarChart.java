package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Groups of bars, each stacked of named parts and marked with a range. */
final class BarChart implements Chart {
    private static final double GROUP_GAP = 0.25;
    private static final double BAR_GAP = 0.15;
    private static final int MAX_UPRIGHT_LABELS = 8;
    private static final int SLANTED_LABEL_SPACE = 90;

    private final String title;
    private final String unit;
    private final Map<String, List<Bar>> groups = new LinkedHashMap<>();

    BarChart(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    static final class Bar {
        private final String name;
        private final Map<String, Double> parts = new LinkedHashMap<>();
        private Spread spread;

        private Bar(String name) {
            this.name = name;
        }

        Bar part(String part, double value) {
            parts.put(part, value);
            return this;
        }

        Bar spread(Spread range) {
            spread = range;
            return this;
        }

        private double top() {
            double sum =
                    parts.values().stream().mapToDouble(Double::doubleValue).sum();
            return spread == null ? sum : Math.max(sum, spread.max());
        }
    }

    Bar bar(String group, String name) {
        Bar bar = new Bar(name);
        groups.computeIfAbsent(group, key -> new ArrayList<>()).add(bar);
        return bar;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String svg() {
        boolean slanted = groups.values().stream().mapToInt(List::size).sum() > MAX_UPRIGHT_LABELS;
        int labelSpace = slanted ? SLANTED_LABEL_SPACE : 0;
        Svg svg = new Svg(labelSpace);
        double max = groups.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Bar::top)
                .max()
                .orElse(1);
        double scale = (Svg.BOTTOM - Svg.TOP) / Math.max(max, Double.MIN_NORMAL);
        svg.verticalAxis(max, unit);
        List<String> names = List.copyOf(partNames());
        double groupWidth = (double) (Svg.RIGHT - Svg.LEFT) / Math.max(1, groups.size());
        double left = Svg.LEFT;
        for (Map.Entry<String, List<Bar>> group : groups.entrySet()) {
            svg.text(left + groupWidth / 2, Svg.BOTTOM + labelSpace + 32, "middle", group.getKey());
            double barWidth = groupWidth * (1 - GROUP_GAP) / group.getValue().size();
            double x = left + groupWidth * GROUP_GAP / 2;
            for (Bar bar : group.getValue()) {
                draw(svg, bar, x, barWidth, scale, names);
                label(svg, bar, x + barWidth / 2, slanted);
                x += barWidth;
            }
            left += groupWidth;
        }
        svg.legend(names);
        return svg.toString();
    }

    private Set<String> partNames() {
        Set<String> names = new LinkedHashSet<>();
        groups.values().forEach(bars -> bars.forEach(bar -> names.addAll(bar.parts.keySet())));
        return names;
    }

    private static void draw(Svg svg, Bar bar, double x, double width, double scale, List<String> names) {
        double y = Svg.BOTTOM;
        for (Map.Entry<String, Double> part : bar.parts.entrySet()) {
            double height = part.getValue() * scale;
            y -= height;
            svg.rectangle(
                    x + width * BAR_GAP / 2,
                    y,
                    width * (1 - BAR_GAP),
                    height,
                    Chart.colour(names.indexOf(part.getKey())),
                    bar.name + ", " + part.getKey() + ": " + Table.text(part.getValue()));
        }
        if (bar.spread != null) {
            double middle = x + width / 2;
            svg.line(
                    middle,
                    Svg.BOTTOM - bar.spread.min() * scale,
                    middle,
                    Svg.BOTTOM - bar.spread.max() * scale,
                    "#222",
                    2);
        }
    }

    private static void label(Svg svg, Bar bar, double x, boolean slanted) {
        if (slanted) {
            svg.slantedText(x, Svg.BOTTOM + 12, bar.name);
        } else {
            svg.text(x, Svg.BOTTOM + 14, "middle", bar.name);
        }
    }
}
