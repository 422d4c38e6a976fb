// Prints the attributes of the nodes: as the Markdown of the README, or a line for each as plain fields (`table plain`).
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "../src/deformer_node.h"
#include "../src/groom_node.h"
#include "../src/ragdoll_node.h"

using namespace withy_maya;

static std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", value);
    std::string out = text;
    // 1e+09 and 1e-05 as one writes them.
    for (const char *sign : {"e+0", "e+", "e-0"}) {
        const std::size_t at = out.find(sign);
        if (at != std::string::npos) {
            out.replace(at, std::strlen(sign), std::strcmp(sign, "e-0") == 0 ? "e-" : "e");
        }
    }
    return out;
}

static std::string type(const Row &row) {
    static const char *const names[] = {"bool", "int", "double", "distance", "time", "enum", "3 doubles", "matrix", "curve", "mesh", "double array", "string", "compound", "ramp"};
    return std::string(names[static_cast<int>(row.type)]) + (row.array ? ", array" : "");
}

static std::string value(const Row &row) {
    switch (row.type) {
        case Type::Bool: return row.value[0] != 0 ? "on" : "off";
        case Type::Int:
        case Type::Double:
        case Type::Ramp:
        case Type::Distance: return number(row.value[0]);
        case Type::Vector: return number(row.value[0]) + ", " + number(row.value[1]) + ", " + number(row.value[2]);
        case Type::Enum: {
            std::string rest = row.choices;
            for (int i = 0; i < static_cast<int>(row.value[0]); i++) {
                rest = rest.substr(rest.find(':') + 1);
            }
            return rest.substr(0, rest.find(':'));
        }
        case Type::Matrix: return "identity";
        default: return "";
    }
}

static std::string range(const Row &row) {
    if (row.type == Type::Enum) {
        std::string all = row.choices;
        for (std::size_t at; (at = all.find(':')) != std::string::npos;) {
            all.replace(at, 1, " / ");
        }
        return all;
    }
    if (std::isnan(row.least)) {
        return "";
    }
    return std::isnan(row.most) ? "from " + number(row.least) : number(row.least) + " to " + number(row.most);
}

static void print(const char *node, const Table &table, bool plain) {
    if (plain) {
        for (const Row &row : table) {
            std::printf("%s|%s|%s|%s|%s|%.17g|%.17g|%.17g|%s\n", node, row.name, row.brief, row.parent, row.source, row.value[0], row.least, row.most,
                        row.output ? "output" : row.type == Type::Enum ? "enum" : row.type == Type::Distance || row.type == Type::Vector ? "distance" : "input");
        }
        return;
    }
    for (const bool output : {false, true}) {
        bool any = false;
        for (const Row &row : table) {
            any = any || row.output == output;
        }
        if (!any) {
            continue;
        }
        if (output) {
            std::printf("\nOutputs of `%s`:\n\n| attribute | short | type | unit | meaning |\n|---|---|---|---|---|\n", node);
        } else {
            std::printf("\n### %s\n\n| attribute | short | type | default | range | unit | animatable | meaning |\n|---|---|---|---|---|---|---|---|\n", node);
        }
        for (const Row &row : table) {
            if (row.output != output) {
                continue;
            }
            const std::string name = std::string(row.parent[0] != '\0' ? std::string(row.parent) + "." : std::string()) + row.name;
            if (output) {
                std::printf("| %s | %s | %s | %s | %s |\n", name.c_str(), row.brief, type(row).c_str(), row.unit, row.text);
            } else {
                std::printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", name.c_str(), row.brief, type(row).c_str(), value(row).c_str(), range(row).c_str(),
                            row.unit, row.animatable ? "yes" : "", row.text);
            }
        }
    }
}

int main(int count, char **arguments) {
    const bool plain = count > 1 && std::strcmp(arguments[1], "plain") == 0;
    print(GroomNode::TYPE, GroomNode::table(), plain);
    print(DeformerNode::TYPE, DeformerNode::table(), plain);
    print(RagdollNode::TYPE, RagdollNode::table(), plain);
    return 0;
}
