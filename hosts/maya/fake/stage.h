// The side of the tests: loads the plugin, makes nodes, sets and connects attributes, evaluates, saves and reloads, duplicates.
//
// A path is an attribute by its long name, with elements and children: "inputHair[3]", "collider[0].colliderRadius".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fake_maya.h"

namespace fake {

class FAKE_API Stage {
public:
    explicit Stage(const std::string &plugin);
    ~Stage();
    // Calls uninitializePlugin; all nodes must be gone.
    bool unload();

    Node *make(const std::string &type, const std::string &name);
    void remove(Node *node);
    Node *duplicate(Node *node, const std::string &name);
    MPxNode *behind(Node *node);

    // Without the checks of limits that setAttr makes; as a connection would bring it.
    void set(Node *node, const std::string &path, double value);
    void set(Node *node, const std::string &path, double x, double y, double z);
    void set(Node *node, const std::string &path, const MMatrix &value);
    void set(Node *node, const std::string &path, const MTime &value);
    void set(Node *node, const std::string &path, const MObject &data);
    // As the channel box would: in the working units of the interface, within the limits. False: refused.
    bool type_in(Node *node, const std::string &path, double value);
    // As removeMultiInstance: the element is gone.
    void forget(Node *node, const std::string &path);
    void connect(Node *from, const std::string &output, Node *to, const std::string &input);

    double number(Node *node, const std::string &path);
    MMatrix matrix(Node *node, const std::string &path);
    std::string text(Node *node, const std::string &path);
    MObject data(Node *node, const std::string &path);
    unsigned elements(Node *node, const std::string &path);
    bool exists(Node *node, const std::string &path);
    bool keyable(Node *node, const std::string &path);
    bool storable(Node *node, const std::string &path);
    std::vector<std::string> attributes(Node *node);

    // The stored values of all nodes as text, and nodes made from it. Connections are not stored.
    std::string save();
    // `space`: before the names, as Maya has them of a referenced scene.
    void load(const std::string &text, const std::string &space = "");
    // Of an attribute whose value the node keeps itself.
    void set_text(Node *node, const std::string &path, const std::string &value);
    Node *find(const std::string &name);

    // The data is that of a world-space plug whose shape has this matrix.
    static void place(const MObject &data, const MMatrix &matrix);

    // Messages since the last call.
    static std::vector<std::string> errors();

private:
    struct Inner;
    std::unique_ptr<Inner> inner_;
};

}  // namespace fake
