#include "attributes.h"

#include <cctype>
#include <cmath>
#include <cstring>

#include <maya/MFnAttribute.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnData.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MRampAttribute.h>
#include <maya/MString.h>

namespace withy_maya {

namespace {

void limit(MFnNumericAttribute &fn, const Row &row) {
    if (!std::isnan(row.least)) {
        fn.setMin(row.least);
    }
    if (!std::isnan(row.most)) {
        fn.setMax(row.most);
    }
    if (!std::isnan(row.slider)) {
        fn.setSoftMax(row.slider);
    }
}

MObject number(const Row &row, MFnNumericData::Type type, MStatus &status) {
    MFnNumericAttribute fn;
    const MObject made = fn.create(row.name, row.brief, type, row.value[0], &status);
    if (status) {
        limit(fn, row);
    }
    return made;
}

MObject vector(const Row &row, MStatus &status) {
    const char *axes[3] = {"X", "Y", "Z"}, *brief[3] = {"x", "y", "z"};
    MObject children[3];
    for (int i = 0; i < 3 && status; i++) {
        MFnNumericAttribute fn;
        children[i] = fn.create(MString(row.name) + axes[i], MString(row.brief) + brief[i], MFnNumericData::kDouble, row.value[i], &status);
    }
    MFnNumericAttribute fn;
    return fn.create(row.name, row.brief, children[0], children[1], children[2], &status);
}

MObject choice(const Row &row, MStatus &status) {
    MFnEnumAttribute fn;
    const MObject made = fn.create(row.name, row.brief, static_cast<short>(row.value[0]), &status);
    short value = 0;
    for (std::string rest = row.choices; status && !rest.empty(); value++) {
        const std::size_t end = rest.find(':');
        fn.addField(rest.substr(0, end).c_str(), value);
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    return made;
}

MObject typed(const Row &row, MFnData::Type type, MStatus &status) {
    MFnTypedAttribute fn;
    return fn.create(row.name, row.brief, type, MObject::kNullObj, &status);
}

MObject unit(const Row &row, MFnUnitAttribute::Type type, MStatus &status) {
    MFnUnitAttribute fn;
    const MObject made = fn.create(row.name, row.brief, type, row.value[0], &status);
    if (status && !std::isnan(row.least)) {
        fn.setMin(row.least);
    }
    return made;
}

MObject make(const Row &row, MStatus &status) {
    switch (row.type) {
        case Type::Bool: return number(row, MFnNumericData::kBoolean, status);
        case Type::Int: return number(row, MFnNumericData::kInt, status);
        case Type::Double: return number(row, MFnNumericData::kDouble, status);
        case Type::Distance: return unit(row, MFnUnitAttribute::kDistance, status);
        case Type::Time: return unit(row, MFnUnitAttribute::kTime, status);
        case Type::Enum: return choice(row, status);
        case Type::Vector: return vector(row, status);
        case Type::Matrix: {
            MFnMatrixAttribute fn;
            return fn.create(row.name, row.brief, MFnMatrixAttribute::kDouble, &status);
        }
        case Type::Curve: return typed(row, MFnData::kNurbsCurve, status);
        case Type::Mesh: return typed(row, MFnData::kMesh, status);
        case Type::Doubles: return typed(row, MFnData::kDoubleArray, status);
        case Type::Text: return typed(row, MFnData::kString, status);
        case Type::Compound: {
            MFnCompoundAttribute fn;
            return fn.create(row.name, row.brief, &status);
        }
        case Type::Ramp: return MRampAttribute::createCurveRamp(row.name, row.brief, &status);
    }
    return MObject::kNullObj;
}

}  // namespace

MStatus create(const Table &table, MStatus (*add)(const MObject &), MStatus (*affects)(const MObject &, const MObject &)) {
    MStatus status;
    for (const Row &row : table) {
        *row.object = make(row, status);
        if (!status) {
            return status;
        }
        if (row.type == Type::Ramp) {
            continue;  // as Maya makes them
        }
        MFnAttribute fn(*row.object);
        const bool numbers = row.type == Type::Bool || row.type == Type::Int || row.type == Type::Double || row.type == Type::Enum ||
                             row.type == Type::Vector;
        fn.setKeyable(!row.output && row.animatable && numbers && row.parent[0] == '\0');
        fn.setChannelBox(!row.output && !row.animatable && numbers && row.parent[0] == '\0');
        // Time comes from a connection; outputs are computed again.
        fn.setStorable(!row.output && row.type != Type::Time);
        fn.setWritable(!row.output);
        fn.setHidden(row.type == Type::Time || row.internal);
        fn.setInternal(row.internal);
        if (row.array) {
            fn.setArray(true);
            fn.setUsesArrayDataBuilder(row.output);
        }
    }
    for (const Row &row : table) {
        if (row.parent[0] != '\0') {
            for (const Row &parent : table) {
                if (std::strcmp(parent.name, row.parent) == 0) {
                    MFnCompoundAttribute(*parent.object).addChild(*row.object);
                }
            }
        }
    }
    for (const Row &row : table) {
        if (row.parent[0] == '\0' && !(status = add(*row.object))) {
            return status;
        }
    }
    for (const Row &input : table) {
        for (const Row &output : table) {
            if (!input.output && !input.internal && output.output && !(status = affects(*input.object, *output.object))) {
                return status;
            }
        }
    }
    return status;
}

std::string attribute_of(const Table &table, const std::string &text) {
    const Row *best = nullptr;
    std::size_t length = 0;
    for (const Row &row : table) {
        const std::string source = row.source;
        const std::string field = source.substr(source.find('.') + 1);
        if (source.empty()) {
            continue;
        }
        const std::size_t at = text.find(field);
        const auto word = [&](std::size_t i) { return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_'); };
        if (at != std::string::npos && !(at > 0 && word(at - 1)) && !word(at + field.size()) && field.size() > length) {
            best = &row;
            length = field.size();
        }
    }
    return best != nullptr ? best->name : "";
}

}  // namespace withy_maya
