# Writes a C file that holds every FOLDER/*.lua, sorted by name, as the table `examples` of app/scene_source.h.
# cmake -DFOLDER=examples -DOUT=examples.c -P embed.cmake
file(GLOB scenes ${FOLDER}/*.lua)
# without the ending: "corner" comes before "corner-impact"
list(TRANSFORM scenes REPLACE "[.]lua$" "")
list(SORT scenes)
set(arrays "")
set(table "")
set(index 0)
foreach(scene IN LISTS scenes)
  get_filename_component(name ${scene} NAME)
  file(SIZE ${scene}.lua size)
  file(READ ${scene}.lua bytes HEX)
  # sixteen bytes a line, and a zero so that the text is a string too
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text_${index}[] = {\n    ${bytes}0x00};\n")
  string(APPEND table "    {\"${name}\", (const char *)text_${index}, ${size}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT}.new "/* Made from examples by cmake/embed.cmake. */
#include \"scene_source.h\"

${arrays}
const example examples[] = {
${table}    {0},
};
")
file(RENAME ${OUT}.new ${OUT})
