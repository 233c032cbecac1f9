/* Where the collection of real friction-contact problems is: it is not part of the repository. */
#ifndef SUPPORT_COLLECTION_H
#define SUPPORT_COLLECTION_H

/* The folder named by MOREAU_FCLIB, else ../shared/fclib beside the repository; NULL: not there, skip. */
const char *collection_folder(void);

#endif
