// What a node has computed and a scene keeps: an asset of withy_asset.h, as text in an attribute of the node.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <maya/MDataHandle.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MStatus.h>
#include <maya/MString.h>
#include <withy.hpp>

#include "attributes.h"

namespace withy_maya {

class Saved {
public:
    bool empty() const { return bytes_.empty(); }
    // Base64 of an asset; "" where there is none.
    std::string text() const;
    // False: damaged. Nothing is kept then.
    bool set_text(const std::string &text);

    // The numbers or bytes of a chunk. False: it is not there, or of another type or version.
    template <class T>
    bool take(const std::string &name, std::vector<T> &out) const;
    bool is_text(const std::string &name, const std::string &text) const;

    // For `put`. Their data must live until then.
    template <class T>
    static WithyAssetChunk chunk(const std::string &name, const std::vector<T> &data, std::uint32_t columns);
    static WithyAssetChunk chunk(const std::string &name, const std::string &text);
    // These take the place of what has their names; others stay.
    void put(const std::vector<WithyAssetChunk> &chunks);

private:
    static std::uint32_t format(const std::vector<unsigned char> &) { return WITHY_ASSET_BYTES; }
    static std::uint32_t format(const std::vector<double> &) { return WITHY_ASSET_F64; }
    static std::uint32_t format(const std::vector<std::uint32_t> &) { return WITHY_ASSET_U32; }
    // False: it is not there.
    bool find(const std::string &name, WithyAssetChunk &chunk) const;

    std::vector<unsigned char> bytes_;
};

template <class T>
bool Saved::take(const std::string &name, std::vector<T> &out) const {
    WithyAssetChunk found;
    if (!find(name, found) || found.format != format(out) || found.version != 1) {
        return false;
    }
    const T *data = static_cast<const T *>(found.data);
    out.assign(data, data + found.size / sizeof(T));
    return true;
}

template <class T>
WithyAssetChunk Saved::chunk(const std::string &name, const std::vector<T> &data, std::uint32_t columns) {
    return {name.c_str(), data.data(), data.size() * sizeof(T), 1, format(data), columns, 0};
}

// Numbers as JSON, to the bit.
std::string json(const std::vector<double> &values);

// FNV-1a, 64 bits, of the bytes of the numbers, going on from `before`.
std::uint64_t digest(const std::vector<double> &values, std::uint64_t before);

// Points and quaternions as plain numbers, and back. False: their number does not fit.
template <class T>
std::vector<double> flat(const std::vector<T> &values) {
    std::vector<double> out;
    out.reserve(values.size() * T().size());
    for (const T &v : values) {
        out.insert(out.end(), v.begin(), v.end());
    }
    return out;
}
template <class T>
bool unflat(const std::vector<double> &values, std::vector<T> &out) {
    const std::size_t columns = T().size();
    out.assign(values.size() / columns, T());
    for (std::size_t i = 0; i < out.size() * columns; i++) {
        out[i / columns][i % columns] = values[i];
    }
    return values.size() % columns == 0;
}

// The row of the attribute in a node's table.
Row saved_row(MObject *attribute);

// A node with such an attribute. Maya asks for its value when it writes a scene, and hands it over when it reads one: also one that
// is referenced. A duplicate gets it in copyInternalData.
template <class Base>
class SavingNode : public Base {
public:
    bool getInternalValue(const MPlug &plug, MDataHandle &handle) override {
        if (plug.attribute() != saved_attribute()) {
            return Base::getInternalValue(plug, handle);
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        handle.setString(saved_.text().c_str());
        return true;
    }
    bool setInternalValue(const MPlug &plug, const MDataHandle &handle) override {
        if (plug.attribute() != saved_attribute()) {
            return Base::setInternalValue(plug, handle);
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!saved_.set_text(handle.asString().asChar())) {
            MGlobal::displayWarning(Base::name() + ": savedAsset: damaged, it is computed again");
        }
        return true;
    }
    // The value in Maya's own block is the default always.
    MStatus shouldSave(const MPlug &plug, bool &is_saving) override {
        if (plug.attribute() != saved_attribute()) {
            return Base::shouldSave(plug, is_saving);
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        is_saving = !saved_.empty();
        return MS::kSuccess;
    }

protected:
    virtual const MObject &saved_attribute() const = 0;
    // A copy, so that no two nodes are locked at once.
    Saved saved() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return saved_;
    }

    mutable std::mutex mutex_;  // of everything in a node
    Saved saved_;
};

}  // namespace withy_maya
