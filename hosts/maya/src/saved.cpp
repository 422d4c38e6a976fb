#include "saved.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace withy_maya {

namespace {

constexpr char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(const std::vector<unsigned char> &bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; k++) {
            three = three << 8 | (k < count ? bytes[i + k] : 0u);
        }
        for (std::size_t k = 0; k < 4; k++) {
            text += k <= count ? DIGITS[three >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

bool decode(const std::string &text, std::vector<unsigned char> &bytes) {
    if (text.size() % 4 != 0) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::uint32_t three = 0;
        std::size_t ends = 0;
        for (std::size_t k = 0; k < 4; k++) {
            const char c = text[i + k];
            const char *digit = c != '\0' ? std::strchr(DIGITS, c) : nullptr;
            ends += c == '=' ? 1 : 0;
            if ((digit == nullptr && (c != '=' || i + 4 != text.size() || k < 2)) || (digit != nullptr && ends != 0)) {
                return false;
            }
            three = three << 6 | static_cast<std::uint32_t>(digit != nullptr ? digit - DIGITS : 0);
        }
        for (std::size_t k = 0; k + ends < 3; k++) {
            bytes.push_back(static_cast<unsigned char>(three >> (16 - 8 * k) & 255));
        }
    }
    return true;
}

}  // namespace

std::string Saved::text() const { return encode(bytes_); }

bool Saved::set_text(const std::string &text) {
    bytes_.clear();
    std::vector<unsigned char> bytes;
    if (!decode(text, bytes)) {
        return false;
    }
    if (!bytes.empty()) {
        try {
            withy::read_asset(bytes.data(), bytes.size());
        } catch (const withy::Error &) {
            return false;
        }
    }
    bytes_ = std::move(bytes);
    return true;
}

bool Saved::find(const std::string &name, WithyAssetChunk &chunk) const {
    if (bytes_.empty()) {
        return false;
    }
    for (const WithyAssetChunk &one : withy::read_asset(bytes_.data(), bytes_.size())) {
        if (name == one.name) {
            chunk = one;
            return true;
        }
    }
    return false;
}

bool Saved::is_text(const std::string &name, const std::string &text) const {
    WithyAssetChunk found;
    return find(name, found) && found.format == WITHY_ASSET_TEXT && found.size == text.size() &&
           (text.empty() || std::memcmp(found.data, text.data(), text.size()) == 0);
}

WithyAssetChunk Saved::chunk(const std::string &name, const std::string &text) {
    return {name.c_str(), text.data(), text.size(), 1, WITHY_ASSET_TEXT, 0, 0};
}

void Saved::put(const std::vector<WithyAssetChunk> &chunks) {
    std::vector<WithyAssetChunk> all;
    if (!bytes_.empty()) {
        all = withy::read_asset(bytes_.data(), bytes_.size());
    }
    for (const WithyAssetChunk &chunk : chunks) {
        const auto same = [&](const WithyAssetChunk &one) { return std::strcmp(one.name, chunk.name) == 0; };
        const auto at = std::find_if(all.begin(), all.end(), same);
        if (at != all.end()) {
            *at = chunk;
        } else {
            all.push_back(chunk);
        }
    }
    bytes_ = withy::write_asset(all);
}

std::string json(const std::vector<double> &values) {
    std::string text = "[";
    for (const double value : values) {
        char number[32];
        std::snprintf(number, sizeof number, "%s%.17g", text.size() > 1 ? "," : "", value);
        text += number;
    }
    return text + "]";
}

std::uint64_t digest(const std::vector<double> &values, std::uint64_t before) {
    std::uint64_t sum = before != 0 ? before : 0xcbf29ce484222325u;
    const auto *bytes = reinterpret_cast<const unsigned char *>(values.data());
    for (std::size_t i = 0; i < values.size() * sizeof(double); i++) {
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    }
    return sum;
}

Row saved_row(MObject *attribute) {
    Row row = {attribute, "savedAsset", "sva", Type::Text, {0}, NONE, NONE, NONE, "", false, "", "",
               "What the node has computed, for the scene file: an asset of withy, as base64. Nobody sets it."};
    row.internal = true;
    return row;
}

}  // namespace withy_maya
