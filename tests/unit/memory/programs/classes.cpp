// SPDX-License-Identifier: BSD-3-Clause
// Constructors and destructors store the pointers of virtual functions.
#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() { std::puts(name()); }
    virtual const char *name() const { return "shape"; }
};
struct Square : Shape {
    ~Square() override { std::puts(name()); }
    const char *name() const override { return "square"; }
};

int main()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    std::atomic<int> count{0};

    shapes.emplace_back(new Shape);
    shapes.emplace_back(new Square);
    for (const auto &shape : shapes) {
        std::puts(shape->name());
        count++;
    }
    std::printf("%d\n", count.load());
    return 0;
}
